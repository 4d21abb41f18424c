import json
import os

from service import AuthenticatedClient
from service.api.agents import create_agent, get_agent, import_agent
from service.api.results import list_results
from service.models import (
    AgentVersion6InAResponse,
    CreateAgentRequest,
    CreateAgentResponse,
    GetAgentResponse,
    ImportAgentRequest,
    ImportAgentResponse,
    ListResultsResponse,
)
from service.models.list_results_time_filter import ListResultsTimeFilter
from service.types import UNSET, Unset

client = AuthenticatedClient(base_url=os.environ["SERVICE_URL"], token=os.environ["TOKEN"])
workspace_id = os.environ["WORKSPACE_ID"]

walked = 0
cursor: str | Unset = UNSET
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
agent = {"name": "Made", "settings": settings, "groups": [{"id": "g", "blocks": [{}, {}]}]}
made = create_agent.sync(
    client=client, body=CreateAgentRequest.from_dict({"workspaceId": workspace_id, "agent": agent})
)
assert isinstance(made, CreateAgentResponse)
definition = {"version": "6", "name": "Imported", "groups": [{"id": "g", "title": "One", "blocks": [{}]}]}
imported = import_agent.sync(
    client=client, body=ImportAgentRequest.from_dict({"workspaceId": workspace_id, "agent": definition})
)
assert isinstance(imported, ImportAgentResponse)
read = get_agent.sync(made.agent.id, client=client)
assert isinstance(read, GetAgentResponse)
blocks = 0
if isinstance(read.agent, AgentVersion6InAResponse) and read.agent.groups:
    blocks = len(read.agent.groups[0].blocks or [])
refused = get_agent.sync_detailed("nobody", client=client)

print(
    json.dumps(
        {
            "walked": walked,
            "made": made.to_dict()["agent"]["settings"]["messagingApp"]["startCondition"]["comparisons"][0]["value"],
            "imported": imported.to_dict()["agent"]["groups"][0]["title"],
            "mode": read.current_user_mode,
            "blocks": blocks,
            "isRefused": refused.status_code >= 400,
        }
    )
)
