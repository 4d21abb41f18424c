import { endpoints, type EndpointId } from '../../spec/index.ts';
import { addFailure, MOST_KEPT, type CheckRow, type Finding } from '../check.ts';
import { present } from '../collections.ts';
import type { Probe } from '../probes/probe.ts';
import { wordOf } from '../history/facts/failures.ts';
import { credentialFlaws } from '../history/facts/credentials.ts';
import { isAnswered, isWithoutAccess, type Answered, type Exchange, type Excerpt } from '../http/exchange.ts';
import { GONE } from '../http/statuses.ts';
import { show } from '../show.ts';
import { stringAt } from '../json.ts';

/** Judges that a refusal of credentials shows nothing of the requested data, and that the request had no effect. */
export const refusalGivesNothing = (endpoint: EndpointId, probe: Probe): CheckRow => ({
  id: `${endpoint}-refusal-gives-nothing`,
  title: `${endpoints[endpoint].title} shows nothing and changes nothing when it refuses credentials`,
  endpoint,
  verifies: ['refusal-gives-nothing'],
  probes: [probe],
  judge: ({ credentials, policy }) => {
    const retaking = createRetaking(endpoint);
    return {
      see: retaking.see,
      conclude(verdict) {
        const seen = credentialFlaws.map((flaw) => credentials.seen(endpoint, flaw));
        const [holding] = seen.flatMap((one) => one.holding);
        // Where others create things too, nobody knows whether a name was free before.
        const taken = policy.isShared ? undefined : retaking.finding();
        verdict.judged = seen.reduce((sum, { refused }) => sum + refused, 0);
        if (holding) {
          const { excerpt, twin, differs = 'without the right credentials' } = holding;
          addFailure(verdict, {
            expected: `the refusal of the request ${differs} shows nothing of the requested data`,
            actual: `status ${excerpt.status ?? ''} with the requested data in the body`,
            exchanges: present(twin, excerpt),
          });
        } else if (taken) addFailure(verdict, taken);
        if (verdict.judged === 0 && seen.some(({ unconfirmed }) => unconfirmed.length > 0))
          verdict.missing = { reason: 'After wrong credentials the target accepted no request with the right token.' };
      },
    };
  },
});

/**
 * Judges that a refused name stays free: a taken one would be changed, or refused before and after another is accepted. One
 * refusal shows nothing: the server may have been busy.
 */
function createRetaking(endpoint: EndpointId) {
  const refused = new Map<string, Excerpt>();
  const given = new Set<string>();
  /** Names of requests with the right token that were refused, and may have taken the name all the same. */
  const tried = new Set<string>();
  /** Workspaces that accept agents: a refusal in another shows nothing about the name. */
  const taking = new Set<string | undefined>();
  let taken: Finding | undefined;
  let refusedAgain: Finding | undefined;
  let unchanged = 0;
  let changed = 0;
  let unchangedAfter = false;
  let isRefusedStill = false;

  const note = ({ excerpt: answer }: Answered, before: Excerpt, name: string, actual: string): Finding => ({
    expected: `the request for ${name} that was refused for its credentials has no effect`,
    actual,
    exchanges: [before, answer],
  });

  function seeRight(exchange: Answered, name: string): void {
    const { answer } = exchange;
    const before = refused.get(name);
    const got = nameIn(endpoint, answer.json);
    const isFree = !given.has(name);
    if (answer.accepted && given.size < MOST_KEPT) given.add(name);
    const workspaceId = stringAt(exchange.sent, 'workspaceId');
    if (answer.accepted && taking.size < MOST_KEPT) taking.add(workspaceId);
    if (!isFree) return;
    if (!answer.accepted) {
      const { status } = answer;
      if (before) tried.add(name);
      // A name in use is often a conflict. Other statuses refuse the caller, or do not find the workspace.
      const isOfName = status === 409 || (wordOf(status) === 'refused' && !GONE.has(status));
      if (!before || !taking.has(workspaceId) || !isOfName) return;
      refusedAgain ??= note(exchange, before, name, `the name is refused with ${status}, and others are not`);
      isRefusedStill ||= unchangedAfter;
    } else if (before) {
      if (got !== name && got !== undefined && !tried.has(name))
        taken ??= note(exchange, before, name, `the name is taken: the next is ${show(got)}`);
    } else if (got === name) {
      unchanged++;
      unchangedAfter ||= refusedAgain !== undefined;
    } else changed++;
  }

  return {
    see: (exchange: Exchange): void => {
      if (exchange.endpoint !== endpoint || !isAnswered(exchange)) return;
      const name = nameIn(endpoint, exchange.sent);
      if (name === undefined) return;
      if (!isWithoutAccess(exchange.caller)) return seeRight(exchange, name);
      if (exchange.answer.accepted) given.add(name);
      else if (!given.has(name) && refused.size < MOST_KEPT) refused.set(name, exchange.excerpt);
    },
    finding(): Finding | undefined {
      if (unchanged === 0 || changed > 0) return undefined;
      return taken ?? (isRefusedStill ? refusedAgain : undefined);
    },
  };
}

const nameIn = (endpoint: EndpointId, json: unknown): string | undefined => {
  if (endpoint === 'create-agent') return stringAt(json, 'agent', 'publicId');
  if (endpoint === 'create-workspace') return stringAt(json, 'workspace', 'slug') ?? stringAt(json, 'slug');
  return undefined;
};
