import com.google.gson.JsonObject
import service.apis.AgentsApi
import service.apis.ResultsApi
import service.infrastructure.ApiClient
import service.infrastructure.ClientException
import service.infrastructure.Serializer
import service.models.*

fun main() {
    val (url, token, agentId, workspace) = listOf("SERVICE_URL", "TOKEN", "AGENT_ID", "WORKSPACE_ID").map(System::getenv)
    ApiClient.accessToken = token
    val agents = AgentsApi(url)
    val results = ResultsApi(url)

    var walked = 0
    var cursor: String? = null
    do {
        val page = results.listResults(agentId, cursor = cursor, timeFilter = ResultsApi.TimeFilterListResults.allTime)
        walked += page.results.count { it.id != null }
        cursor = page.nextCursor
    } while (cursor != null)

    val comparison = SettingsMessagingAppStartConditionComparisonsInner(value = "x")
    val start = SettingsMessagingAppStartCondition(comparisons = listOf(comparison))
    val settings = Settings(messagingApp = SettingsMessagingApp(startCondition = start))
    val group = Group(id = "g", title = "One", blocks = listOf(mapOf<String, Any>(), mapOf<String, Any>()))
    val asked = CreateAgentRequestAgent(name = "Made", settings = settings, groups = listOf(group))
    val made = agents.createAgent(CreateAgentRequest(workspace, asked)).agent
    val form = ImportAgentV6(version = ImportAgentV6.Version._6, name = "Imported", groups = listOf(group))
    val imported = agents.importAgent(ImportAgentRequest(workspace, form)).agent

    val read = agents.getAgent(made.id)
    val isVersion6 = read.agent["version"].asString == "6"
    val agent = if (isVersion6) Serializer.gson.fromJson(read.agent, AgentV6InResponse::class.java) else null

    val isRefused = try {
        agents.getAgent("nobody")
        false
    } catch (refusal: ClientException) {
        refusal.statusCode >= 400
    }
    val told = JsonObject()
    told.addProperty("walked", walked)
    told.addProperty("made", made.settings?.messagingApp?.startCondition?.comparisons?.first()?.value as String?)
    told.addProperty("imported", imported.groups?.first()?.title)
    told.addProperty("mode", read.currentUserMode.value)
    told.addProperty("blocks", agent?.groups?.first()?.blocks?.size)
    told.addProperty("isRefused", isRefused)
    println(told)
}
