import type { EndpointId } from '../../spec/index.ts';
import type { Verdict } from '../check.ts';
import type { Caller, Exchange } from '../http/exchange.ts';
import { createJudgement } from '../history/judgement.ts';
import type { TargetOptions } from '../target-options.ts';
import { createAgentChecks } from '../checks/create-agent.ts';
import { createWorkspaceChecks } from '../checks/create-workspace.ts';
import { getAgentChecks } from '../checks/get-agent.ts';
import { getPublishedAgentChecks } from '../checks/get-published-agent.ts';
import { importAgentChecks } from '../checks/import-agent.ts';

/** For tests: an exchange in a few words. */
export interface Told {
  readonly post?: EndpointId;
  readonly get?: EndpointId;
  readonly agentId?: string;
  readonly sent?: object;
  readonly status: number;
  readonly json: object;
  readonly caller?: Caller;
  /** No answer came. */
  readonly isSilent?: boolean;
}

/** For tests: ids of the failing checks of agents and workspaces, shape checks excluded. */
export const inTinyHistory = (told: readonly Told[]): readonly string[] =>
  [...verdictsOf(told)].flatMap(([id, { findings }]) => (findings.length > 0 ? [id] : []));

/** For tests: what the checks of agents and workspaces say about a history, by id, shape checks excluded. */
export function verdictsOf(told: readonly Told[], target: TargetOptions = {}): ReadonlyMap<string, Verdict> {
  const checks = [
    ...createAgentChecks,
    ...importAgentChecks,
    ...getAgentChecks,
    ...getPublishedAgentChecks,
    ...createWorkspaceChecks,
  ].filter(({ id }) => !id.endsWith('-answer-shape'));
  const judgement = createJudgement(checks, { target, strictNull: false });
  for (const [i, one] of told.entries()) judgement.see(exchangeOf(one, i));
  return new Map(
    judgement.conclude().map((judged) => {
      if ('error' in judged) throw judged.error;
      return [judged.check.id, judged.verdict];
    }),
  );
}

function exchangeOf(
  { post, get, agentId, sent, status, json, caller = 'valid', isSilent = false }: Told,
  i: number,
): Exchange {
  const text = JSON.stringify(json);
  const method = post === undefined ? 'GET' : 'POST';
  const answer = {
    status,
    headers: {},
    accepted: status < 300,
    json: JSON.parse(text) as unknown,
    problem: undefined,
    text,
  };
  return {
    n: 2 * i + 1,
    begun: 2 * i,
    sentAt: 10_000 * i,
    answeredAt: 10_000 * i,
    caller,
    method,
    endpoint: post ?? get ?? 'get-agent',
    agentId,
    query: [],
    sent,
    open: false,
    ...(isSilent ? {} : { answer }),
    excerpt: { request: { method, url: 'http://x.test/', headers: {} }, status, body: text, durationMs: 1 },
  };
}
