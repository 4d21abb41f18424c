import fc from 'fast-check';
import { act } from './acting.ts';
import { action } from './actions.ts';
import { createAsking, type Asking, type FuzzTarget } from './asking.ts';
import { compare, emptyModel, malformedOf, member, oddOf } from './model.ts';

export interface FuzzReport {
  readonly requests: number;
  /** Answers per status; `closed` counts connections that ended without one, which only garbage may cause. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Failures: 5xx, or no answer to a well-formed request. */
  readonly failures: readonly string[];
  /** Differences between the target's state and the model. */
  readonly differences: readonly string[];
  readonly agents: number;
  /** Megabytes after each tenth of the run. */
  readonly memory: readonly number[];
}

const WORKERS = 8;
/**
 * After this many requests a session is compared with its model, ended and replaced: an ended session must leave
 * nothing behind.
 */
const SESSION_LENGTH = 1500;
const MOST_SHOWN = 20;

/**
 * Sends valid and invalid requests over real sockets, several at a time, each worker in its own session. At the end of
 * each session, compares its content with a model. The same seed sends the same requests.
 */
export async function fuzz(
  target: FuzzTarget,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<FuzzReport> {
  const asking = createAsking(target, { requests, connections: WORKERS * 2 });
  const each = Math.ceil(requests / WORKERS);
  const worked = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => work(asking, { worker, requests: each, seed })),
  );
  await endSessions(asking);
  await asking.close();
  const { sent, statuses, failures, memory } = asking.tally;
  return {
    requests: sent,
    statuses,
    failures: failures.slice(0, MOST_SHOWN),
    differences: worked.flatMap(({ differences }) => differences).slice(0, MOST_SHOWN),
    agents: worked.reduce((sum, { agents }) => sum + agents, 0),
    memory,
  };
}

/** The requests of one worker, session after session. */
async function work(
  asking: Asking,
  { worker, requests, seed }: { readonly worker: number; readonly requests: number; readonly seed: number },
): Promise<{ readonly differences: readonly string[]; readonly agents: number }> {
  const differences: string[] = [];
  let agents = 0;
  for (let done = 0; done < requests;) {
    const model = emptyModel(`fuzz-${worker}-${done}`);
    const numRuns = Math.min(SESSION_LENGTH, requests - done);
    for (const step of fc.sample(action, { seed: seed * 1000 + worker * 100_003 + done, numRuns }))
      await act(asking, model, step);
    differences.push(...(await compare(model, (path) => asking.ask(model, 'GET', path))));
    agents += model.agents.size;
    for (const session of [malformedOf(model), oddOf(model), model.session])
      await asking.ask(model, 'DELETE', `/__admin/sessions/${session}`);
    done += numRuns;
  }
  return { differences, agents };
}

/** Odd requests create sessions of any name, by path and through the admin API. */
async function endSessions({ ask }: Asking): Promise<void> {
  const nobody = emptyModel('');
  const sessions = member((await ask(nobody, 'GET', '/__admin/sessions')).json, 'sessions') as readonly unknown[];
  for (const one of sessions) {
    const id = String(member(one, 'id'));
    if (id !== '') await ask(nobody, 'DELETE', `/__admin/sessions/${encodeURIComponent(id)}`);
  }
}
