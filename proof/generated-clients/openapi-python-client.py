import json
import os

from service import AuthenticatedClient
from service.api.agents import create_agent, get_agent, import_agent
from service.api.results import list_results
from service.models import CreateAgentRequest, GetAgentResponse, ImportAgentRequest, ListResultsResponse, ProblemDetails
from service.models.list_results_time_filter import ListResultsTimeFilter
from service.types import UNSET

client = AuthenticatedClient(base_url=os.environ["SERVICE_URL"], token=os.environ["TOKEN"])
workspace_id = os.environ["WORKSPACE_ID"]

walked = 0
cursor = UNSET
while True:
    page = list_results.sync(
        os.environ["AGENT_ID"], client=client, time_filter=ListResultsTimeFilter.ALLTIME, limit=50.0, cursor=cursor
    )
    assert isinstance(page, ListResultsResponse)
    walked += sum(1 for result in page.results if isinstance(result.id, str))
    if page.next_cursor is None:
        break
    cursor = page.next_cursor

comparisons = [{"id": "c", "comparisonOperator": "Equal to", "value": "x"}]
settings = {"messagingApp": {"startCondition": {"logicalOperator": "OR", "comparisons": comparisons}}}
made = create_agent.sync(
    client=client,
    body=CreateAgentRequest.from_dict({"workspaceId": workspace_id, "agent": {"name": "Made", "settings": settings}}),
)
groups = [{"id": "g", "title": "One", "blocks": [{}]}]
imported = import_agent.sync(
    client=client,
    body=ImportAgentRequest.from_dict(
        {"workspaceId": workspace_id, "agent": {"version": "6", "name": "Imported", "groups": groups}}
    ),
)
read = get_agent.sync(made.agent.id, client=client)
assert isinstance(read, GetAgentResponse)
refused = create_agent.sync(
    client=client, body=CreateAgentRequest.from_dict({"workspaceId": workspace_id, "agent": {"name": 5}})
)
assert isinstance(refused, ProblemDetails)

print(
    json.dumps(
        {
            "walked": walked,
            "made": made.agent.settings.messaging_app.start_condition.comparisons[0].value,
            "imported": imported.agent.groups[0].title,
            "mode": read.current_user_mode,
            "error": refused.errors[0].location,
        }
    )
)
