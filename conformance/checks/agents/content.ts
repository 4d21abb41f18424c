import { endpoints, type NewAgentEndpoint } from '../../../spec/index.ts';
import { pointerTo } from '../../../spec/json-pointer.ts';
import type { Finding, Judge, Verdict } from '../../check.ts';
import { present } from '../../collections.ts';
import { takenFrom } from '../../content/content.ts';
import { isStructure, type NeverShown, type Path } from '../../content/places.ts';
import { parseTimestamp } from '../../content/timestamps.ts';
import type { AgentCreation } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted, type Answered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { isObject, stringAt, type JsonObject } from '../../json.ts';
import { show } from '../../show.ts';
import { createdBy, isRead, origins, readingOf, type CreatedAgent } from './created.ts';
import { createLedger } from './ledger.ts';

/** So many values that two agents share are no accident. */
const TELLING = 20;

/** Judges that the answer shows every sent value, or, where the answer is incomplete, that the readings do. */
export function judgeContent(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents, strict, excuses } = facts;
  const ledger = createLedger('sent');

  function seeAnswer({ id, creation }: CreatedAgent, { n, excerpt }: Exchange, verdict: Verdict): void {
    const { sent, answered } = creation;
    if (!sent || !answered) return;
    const { differences, compared, isRewritten } = agents.compare(sent, answered);
    if (isRewritten) excuses.use('another-notation', n);
    if (compared > 0) verdict.judged++;
    for (const difference of differences)
      if (difference.is === 'another') ledger.other(difference, [excerpt]);
      else ledger.lack(id, difference, excerpt);
  }

  function seeReading({ id, creation }: CreatedAgent, exchange: Answered, verdict: Verdict): void {
    const lacking = ledger.lacks.get(id);
    const shown = lacking && agents.contentOf(exchange);
    if (!creation.sent || !lacking || !shown || !agents.isUnchanged(exchange, creation)) return;
    if (isEdited(exchange, creation)) return;
    const { differences, compared } = agents.compare(creation.sent, shown);
    if (compared > 0) verdict.judged++;
    const still = new Map(differences.map((difference) => [difference.place, difference]));
    for (const [place, lack] of lacking) {
      const difference = still.get(place);
      if (difference?.is === 'absent') lack.times++;
      else lacking.delete(place);
      if (difference?.is === 'another') ledger.other(difference, [lack.excerpt, exchange.excerpt]);
    }
  }

  return {
    see(exchange, verdict) {
      const created = createdBy(exchange, endpoint, agents);
      if (created) seeAnswer(created, exchange, verdict);
      const read = readingOf(exchange, endpoint, agents);
      if (read && isRead(exchange)) seeReading(read, exchange, verdict);
      const whose = created ?? (read?.creation.answered ? undefined : read);
      if (whose && isAccepted(exchange))
        verdict.findings.push(...takenFromOthers(facts, whose, exchange, whose.creation.sent));
    },
    conclude({ findings }) {
      findings.push(...ledger.findings(agents.shown));
      for (const id of ledger.excused(agents.shown)) excuses.use('left-out', agents.get(id)?.creation?.n ?? 0);
      const origin = origins[endpoint];
      const example = [...agents.all].findLast((one) => one.origin === origin && one.creation?.sent)?.creation?.excerpt;
      findings.push(...shownNowhere(agents.neverShown(origin), strict, present(example)));
    },
  };
}

/** What an agent shows as it was sent for another one, beside its own. In foreign traffic, others may send what is the default. */
export function takenFromOthers(
  { agents, policy }: Facts,
  { id }: CreatedAgent,
  exchange: Answered,
  ...owned: readonly (JsonObject | undefined)[]
): readonly Finding[] {
  const shown = agents.contentOf(exchange);
  const own = present(...owned);
  if (own.length < owned.length || !shown || policy.isShared) return [];
  for (const { id: of, creation: other } of agents.all) {
    if (of === id || !other?.sent) continue;
    const place = takenFrom(other.sent, own, shown) ?? partFrom(other.sent, own, shown, agents);
    if (!place) continue;
    const expected = 'nothing of another agent that the request did not send';
    const actual = `what was sent as ${place[0]} for the agent ${show(of)}`;
    const at = pointerTo(['agent', ...place]);
    return [{ expected, actual, at, exchanges: [other.excerpt, exchange.excerpt] }];
  }
  return [];
}

/** The theme or the settings of another agent, where this one has none. */
function partFrom(
  other: JsonObject,
  own: readonly JsonObject[],
  shown: JsonObject,
  agents: Facts['agents'],
): Path | undefined {
  const part = ['theme', 'settings'].find((name) => {
    const [its, there] = [other[name], shown[name]];
    if (own.some((agent) => name in agent) || !isObject(its) || !isObject(there)) return false;
    const { differences, compared } = agents.compare({ [name]: its }, { [name]: there });
    return compared >= TELLING && differences.length === 0;
  });
  return part === undefined ? undefined : [part];
}

/** The findings on structure that was sent often and shown by no answer, and on other names; with `strict`, on presentation too. */
export const shownNowhere = (
  all: readonly NeverShown[],
  strict: boolean,
  exchanges: readonly Excerpt[],
  answer = 'answer',
): readonly Finding[] =>
  all
    // Names in blocks are those of whoever sent them.
    .filter(({ kind, as }) => isStructure(kind) || as !== undefined || (strict && !kind.includes('/blocks/')))
    .map(({ kind, times, as }) => ({
      expected: `${kind}, which was sent ${times} times, in some ${answer}`,
      actual: `no ${answer} shows it${as === undefined ? '' : `, but ${show(as)}, and names are exact`}`,
      exchanges,
    }));

/** Whether a reading shows a later `updatedAt` than the answer that made the agent. */
export function isEdited({ answer }: Answered, { revision }: AgentCreation): boolean {
  const [then, now] = [revision, stringAt(answer.json, 'agent', 'updatedAt')].map((text) => parseTimestamp(text)?.ms);
  return then !== undefined && now !== undefined && now > then;
}

/** The finding on a workspace that is not the one from a request or an answer before. */
export function otherWorkspace(exchange: Answered, from: string, wanted?: string, before?: Excerpt): Finding[] {
  const { holds } = endpoints[exchange.endpoint];
  const is = stringAt(exchange.answer.json, holds, 'workspaceId');
  if (is === undefined || wanted === undefined || is === wanted) return [];
  const expected = `the workspace from ${from}, ${show(wanted)}`;
  return [{ expected, actual: show(is), at: `/${holds}/workspaceId`, exchanges: present(before, exchange.excerpt) }];
}

/** Judges that the agent is in the named workspace, according to the answer or else to the readings. */
export function judgeWorkspace({ agents }: Facts, endpoint: NewAgentEndpoint): Judge {
  let isAnyCreated = false;
  return {
    see(exchange, verdict) {
      if (!isAccepted(exchange)) return;
      const created = createdBy(exchange, endpoint, agents);
      isAnyCreated ||= created !== undefined;
      const { creation } = created ?? readingOf(exchange, endpoint, agents) ?? {};
      // A reading shows it where the answer that created the agent did not.
      if (!created && (!isRead(exchange) || creation?.answeredWorkspaceId !== undefined)) return;
      const actual = stringAt(exchange.answer.json, 'agent', 'workspaceId');
      if (creation?.workspaceId === undefined || actual === undefined) return;
      if (!created && !agents.isUnchanged(exchange, creation)) return;
      verdict.judged++;
      const before = created ? undefined : creation.excerpt;
      verdict.findings.push(...otherWorkspace(exchange, 'the request', creation.workspaceId, before));
    },
    conclude(verdict) {
      if (isAnyCreated && verdict.judged === 0)
        verdict.missing = { reason: 'No answer shows the workspaceId of the agent.' };
    },
  };
}
