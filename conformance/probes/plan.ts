import { endpointIds, type EndpointId } from '../../spec/index.ts';
import * as creations from './creations.ts';
import { sendWrongCredentials } from './credentials.ts';
import named from './groups.json';
import * as lists from './lists.ts';
import { probeOf as row, queueOf, type Probe } from './probe.ts';
import { acceptedRequest } from './prerequisites.ts';
import * as reads from './readings.ts';

/**
 * What a run sends for its checks, one row a probe: its phase, its queue, and the requests. Phases follow each other, and
 * within one the seed draws the order. What the specification leaves open is sent in the phase `open` by the questions of
 * `observations/`.
 */
export const plan = {
  // Agents, each read until it is there: the first of each kind in the fullest body that is accepted, then two at once.
  createAgent: row('first', 'creations', (run) => creations.createFirst(run, 'create-agent')),
  importAgent: row('first', 'creations', (run) => creations.createFirst(run, 'import-agent')),
  createTwoAgents: row('first', 'creations', (run) => creations.createTwo(run, 'create-agent')),
  importTwoAgents: row('first', 'creations', (run) => creations.createTwo(run, 'import-agent')),
  // Agents with every kind of value in every field, and some with little but a name.
  createOfEveryKind: row('first', 'creations', (run) => creations.createOfEveryKind(run, 'create-agent')),
  importOfEveryKind: row('first', 'creations', (run) => creations.createOfEveryKind(run, 'import-agent')),
  // An import that asks to be published, and its public form.
  importPublished: row('first', 'creations', creations.importPublished),
  // Workspaces: with only a name, with icon and slug, and one that agents are created in.
  createWorkspaceByName: row('first', 'creations', creations.createWorkspaceByName),
  createWorkspaceWithOptionalFields: row('first', 'creations', creations.createWorkspaceWithOptionalFields),
  createWorkspace: row('first', 'creations', creations.createWorkspace),
  // The agents that the user gave: with the main token, the public form of one, and with tokens of less access.
  readGiven: row('first', 'lists', reads.readGiven),
  // An identifier of which the end is missing.
  readCutShort: row('open', 'lists', reads.readCutShort),
  readPublished: row('first', 'lists', reads.readPublished),
  readWithLessAccess: row('first', 'lists', reads.readWithLessAccess),
  // Lists of the agent with results: every filter in large pages, then pages of many sizes, many small ones, without
  // parameters, and with those whose formats are not shown.
  readEveryFilter: row('first', 'lists', lists.firstReading),
  walkInManySizes: row('first', 'lists', lists.walkInManySizes),
  walkInThreePages: row('first', 'lists', lists.walkInThreePages),
  walkToTheEnd: row('first', 'lists', lists.walkToTheEnd),
  walkWithoutParameters: row('first', 'lists', lists.walkWithoutParameters),
  walkWithOpenParameters: row('first', 'lists', lists.walkWithOpenParameters),
  readBeyondLimit: row('first', 'lists', lists.readBeyondLimit),
  // An agent of each kind with unusual texts, in the new workspace; two workspaces at once. Late, since some servers fail
  // only after a while.
  createUnusual: row('open', 'creations', creations.createUnusual),
  createTwoWorkspaces: row('open', 'creations', creations.createTwoWorkspaces),
  // The lists of new agents, and of the published one. After the walks, which a list of another agent may disturb.
  readOthers: row('open', 'lists', lists.readOthers),

  // After wrong credentials (below), everything once more: every filter, every new agent, with less access, public forms.
  readEveryFilterAgain: row('end', 'lists', lists.lastReading),
  readAgain: row('end', 'creations', reads.readAgain),
  readAgainWithLessAccess: row('end', 'creations', reads.readAgainWithLessAccess),
  readPublishedAgain: row('end', 'creations', reads.readPublishedAgain),
  readOthersAgain: row('end', 'lists', lists.readOthersAgain),
  // Agents whose lists are refused: an existing agent has a list.
  readRefusedAgents: row('end', 'lists', lists.readRefusedAgents),
} satisfies Record<string, Probe>;

export const plainRequests = Object.fromEntries(
  endpointIds.map((id) => [id, row('first', queueOf(id), (run) => acceptedRequest(run, id))]),
) as Readonly<Record<EndpointId, Probe>>;

/** Requests to an endpoint with credentials that are wrong in every way, between ones with the right token. */
export const wrongCredentials = (endpoint: EndpointId): Probe =>
  row('credentials', queueOf(endpoint), (run) => sendWrongCredentials(run, endpoint));

const rows: Readonly<Record<string, Probe>> = plan;
const groups: Readonly<Record<string, readonly string[]>> = named;

/** The probes of these names: rows of the plan, groups of them, and `plain` for the plain valid request of an endpoint. */
export const probesNamed = (names: readonly string[], endpoint: EndpointId): readonly Probe[] =>
  names.flatMap((name) => {
    const probe = name === 'plain' ? plainRequests[endpoint] : rows[name];
    if (probe) return probe;
    const group = groups[name];
    if (!group) throw new Error(`There is no probe "${name}".`);
    return probesNamed(group, endpoint);
  });
