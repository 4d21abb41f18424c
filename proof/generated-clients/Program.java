import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import service.ApiClient;
import service.ApiException;
import service.api.AgentsApi;
import service.api.ResultsApi;
import service.model.*;

public class Program {
  public static void main(String[] args) throws Exception {
    var env = System.getenv();
    var client = new ApiClient();
    client.updateBaseUri(env.get("SERVICE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + env.get("TOKEN")));
    var agents = new AgentsApi(client);
    var results = new ResultsApi(client);
    var workspace = env.get("WORKSPACE_ID");

    var walked = 0;
    String cursor = null;
    do {
      var page = results.listResults(env.get("AGENT_ID"), new BigDecimal(50), cursor, "allTime", null, null, null, null);
      for (ConversationResult result : page.getResults()) if (result.getId() != null) walked++;
      cursor = page.getNextCursor();
    } while (cursor != null);

    var comparison = new SettingsMessagingAppStartConditionComparisonsInner();
    comparison.setValue("x");
    var start = new SettingsMessagingAppStartCondition().comparisons(List.of(comparison));
    var settings = new Settings().messagingApp(new SettingsMessagingApp().startCondition(start));
    var group = new Group().id("g").title("One").blocks(List.of(Map.of(), Map.of()));
    var asked = new CreateAgentRequestAgent().name("Made").settings(settings).groups(List.of(group));
    AgentV6InResponse made = agents.createAgent(new CreateAgentRequest().workspaceId(workspace).agent(asked)).getAgent();
    var form = new ImportAgentV6().version(ImportAgentV6.VersionEnum._6).name("Imported").groups(List.of(group));
    var brought = new ImportAgentRequest().workspaceId(workspace).agent(new ImportAgentRequestAgent(form));
    AgentV6InResponse imported = agents.importAgent(brought).getAgent();

    GetAgentAnswer read = agents.getAgent(made.getId());
    var blocks = 0;
    if (read.getAgent().getActualInstance() instanceof AgentV6InResponse)
      blocks = read.getAgent().getAgentV6InResponse().getGroups().get(0).getBlocks().size();

    var isRefused = false;
    try {
      agents.getAgent("nobody");
    } catch (ApiException refusal) {
      isRefused = refusal.getCode() >= 400;
    }
    var kept = made.getSettings().getMessagingApp().getStartCondition().getComparisons().get(0);
    new ObjectMapper().writeValue(System.out, Map.of(
        "walked", walked,
        "made", kept.getValue(),
        "imported", imported.getGroups().get(0).getTitle(),
        "mode", read.getCurrentUserMode().getValue(),
        "blocks", blocks,
        "isRefused", isRefused));
  }
}
