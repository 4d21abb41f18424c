package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	workspace, all, limit := os.Getenv("WORKSPACE_ID"), ListResultsParamsTimeFilter("allTime"), float32(50)
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("SERVICE_URL"), WithRequestEditorFn(authorize)))

	walked := 0
	for cursor := (*string)(nil); ; {
		params := ListResultsParams{TimeFilter: &all, Limit: &limit, Cursor: cursor}
		page := must(client.ListResultsWithResponse(ctx, os.Getenv("AGENT_ID"), &params)).JSONOKAY
		for _, result := range page.Results {
			if result.Id != nil {
				walked++
			}
		}
		if cursor = page.NextCursor; cursor == nil {
			break
		}
	}

	var asked CreateAgentRequest
	text := `{"workspaceId":"` + workspace + `","agent":{"name":"Made","groups":[{"id":"g","blocks":[{},{}]}],` +
		`"settings":{"messagingApp":{"startCondition":{"comparisons":[{"id":"c","value":"x"}]}}}}}`
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		panic(err)
	}
	made := must(client.CreateAgentWithResponse(ctx, asked)).JSONCREATED.Agent
	comparison := (*made.Settings.MessagingApp.StartCondition.Comparisons)[0]

	var definition ImportAgentRequest_Agent
	name, title, blocks := "Imported", "One", []interface{}{map[string]string{}}
	groups := []Group{{Title: &title, Blocks: &blocks}}
	if err := definition.FromImportAgentV6(ImportAgentV6{Name: &name, Groups: &groups}); err != nil {
		panic(err)
	}
	body := ImportAgentRequest{WorkspaceId: &workspace, Agent: &definition}
	imported := must(client.ImportAgentWithResponse(ctx, body)).JSONCREATED.Agent

	read := must(client.GetAgentWithResponse(ctx, made.Id)).JSONOKAY
	counted := 0
	if agent, ok := must(read.Agent.ValueByDiscriminator()).(AgentV6InResponse); ok {
		counted = len(*(*agent.Groups)[0].Blocks)
	}
	refused := must(client.GetAgentWithResponse(ctx, "nobody"))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"walked": walked, "made": comparison.Value, "imported": (*imported.Groups)[0].Title,
		"mode": read.CurrentUserMode, "blocks": counted, "isRefused": refused.StatusCode() >= 400,
	}))
}
