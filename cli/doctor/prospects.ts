import { judge } from '../../prove/target.ts';
import { createMock } from '../../mock/index.ts';
import { roles } from '../../fixtures/index.ts';
import type { RunOptions } from '../../conformance/run-options.ts';

export type Mode = 'write' | 'read' | 'guest';

/** What a run would have to work with. */
export interface Means {
  /** The access of the token; absent if none is accepted. */
  readonly token?: Mode | undefined;
  readonly workspaceId: boolean;
  readonly agentId: 'with results' | 'without results' | 'none';
  readonly publishedAgentId: boolean;
  readonly v5AgentId: boolean;
  readonly readToken: boolean;
  readonly guestToken: boolean;
  readonly readOnly: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** One missing thing, and what it would unlock. */
export interface Unlock {
  /** What to supply: `--guest-token`. */
  readonly supply: string;
  /** Ids of the checks that could then be judged. */
  readonly checks: readonly string[];
}

/** What a run could judge on a conformant target. */
export interface Prospects {
  readonly judged: readonly string[];
  /** Checks that cannot be judged with the present settings. */
  readonly notJudged: readonly { readonly id: string; readonly title: string }[];
  /** What each missing thing would unlock by itself; the most first. */
  readonly unlocks: readonly Unlock[];
  /** What all missing things would unlock together, beyond each by itself. */
  readonly together: readonly string[];
}

interface Missing {
  readonly supply: string;
  readonly isMissing: (means: Means) => boolean;
  readonly supplied: Partial<Means>;
}

const MISSING: readonly Missing[] = [
  { supply: '--token', isMissing: ({ token }) => token === undefined, supplied: { token: 'write' } },
  {
    supply: 'a --token with write access',
    isMissing: ({ token }) => token !== undefined && token !== 'write',
    supplied: { token: 'write' },
  },
  { supply: 'a run without --read-only', isMissing: ({ readOnly }) => readOnly, supplied: { readOnly: false } },
  {
    supply: '--agent-id of an agent with results',
    isMissing: ({ agentId }) => agentId !== 'with results',
    supplied: { agentId: 'with results' },
  },
  {
    supply: '--published-agent-id',
    isMissing: ({ publishedAgentId }) => !publishedAgentId,
    supplied: { publishedAgentId: true },
  },
  { supply: '--v5-agent-id', isMissing: ({ v5AgentId }) => !v5AgentId, supplied: { v5AgentId: true } },
  { supply: '--read-token', isMissing: ({ readToken }) => !readToken, supplied: { readToken: true } },
  { supply: '--guest-token', isMissing: ({ guestToken }) => !guestToken, supplied: { guestToken: true } },
  { supply: '--workspace-id', isMissing: ({ workspaceId }) => !workspaceId, supplied: { workspaceId: true } },
];

/**
 * Finds out what could be judged by running the checks, in process, against a mock about which only as much is known as
 * about the target. So the result always matches the checks.
 */
export async function prospectsOf(means: Means): Promise<Prospects> {
  const first = await rehearse(means);
  const judged = first.filter(({ status }) => status !== 'not-judged').map(({ id }) => id);
  const notJudged = first.filter(({ status }) => status === 'not-judged').map(({ id, title }) => ({ id, title }));
  const missing = notJudged.length === 0 ? [] : MISSING.filter(({ isMissing }) => isMissing(means));
  const rest = notJudged.map(({ id }) => id);
  const judgedWith = async (supplied: Partial<Means>): Promise<readonly string[]> =>
    (await rehearse({ ...means, ...supplied, only: rest, skip: [] }))
      .filter(({ id, status }) => rest.includes(id) && status !== 'not-judged')
      .map(({ id }) => id);

  const unlocks: Unlock[] = [];
  for (const { supply, supplied } of missing) {
    const checks = await judgedWith(supplied);
    if (checks.length > 0) unlocks.push({ supply, checks });
  }
  const alone = new Set(unlocks.flatMap(({ checks }) => checks));
  const everything = missing.reduce<Partial<Means>>((sum, { supplied }) => ({ ...sum, ...supplied }), {});
  const together = alone.size === rest.length ? [] : await judgedWith(everything);
  return {
    judged,
    notJudged,
    unlocks: unlocks.toSorted((one, other) => other.checks.length - one.checks.length),
    together: together.filter((id) => !alone.has(id)),
  };
}

async function rehearse(means: Means) {
  const { target, store } = createMock({ seed: 1 });
  const given = (isGiven: boolean, value: string | undefined): string | undefined => (isGiven ? value : undefined);
  const run: Partial<RunOptions> = {
    token: { write: target.token, read: target.readToken, guest: target.guestToken, none: undefined }[
      means.token ?? 'none'
    ],
    workspaceId: given(means.workspaceId, target.workspaceId),
    agentId: {
      'with results': target.agentId,
      'without results': store.agentId(roles.withoutResults),
      none: undefined,
    }[means.agentId],
    publishedAgentId: given(means.publishedAgentId, target.publishedAgentId),
    v5AgentId: given(means.v5AgentId, target.v5AgentId),
    readToken: given(means.readToken, target.readToken),
    guestToken: given(means.guestToken, target.guestToken),
    readOnly: means.readOnly,
    ...(means.only.length > 0 ? { only: means.only } : {}),
    skip: means.skip,
    observe: false,
  };
  return (await judge({}, run)).checks;
}
