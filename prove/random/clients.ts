import type { Program } from '../foreign/typed-client.ts';
import { actAtRandom, amongOthers, known, type RandomSession } from './actions.ts';
import { compare, emptyModel, memberOf } from './model.ts';
import { randomOf } from './random.ts';
import { createRandomSender, type RandomTarget, type RandomSender } from './sending.ts';

const TOKENS = [
  ['mock-write-token', 'mock-write-token', 'mock-read-token', 'mock-guest-token', 'no-token-of-theirs', ''],
  undefined,
].flat();

/** A client with random requests, valid and invalid, with any token, while others change the data behind its back. */
export const randomClient =
  (seed: number, steps = 120): Program =>
  async ({ mock, baseUrl }) => {
    const target = { ...mock.target, baseUrl };
    const sender = createRandomSender(target, steps, 2);
    const session: RandomSession = {
      random: randomOf(seed),
      target,
      sender,
      model: emptyModel(''),
      tokens: TOKENS,
      async admin(method, path, body) {
        const headers = { 'content-type': 'application/json' };
        const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
        return { status: (await mock.fetch(`http://mock/__admin${path}`, sent)).status, json: undefined };
      },
    };
    for (let step = 0; step < steps; step++) await actAtRandom(session, amongOthers);
    await sender.close();
  };

/** In one proof. */
const REQUESTS = 300;

/**
 * The fuzzer of the mock, which keeps a model of what the mock must hold.
 * @param isPlain the mock has the default choices and no fault, which the model stands for
 * @throws where such a mock behaves differently through the proxy
 */
export const fuzzingClient =
  (seed: number, isPlain: boolean): Program =>
  async ({ mock, baseUrl }) => {
    const { failures, differences } = await fuzz({ ...mock.target, baseUrl }, { requests: REQUESTS, seed });
    const [difference] = [...failures, ...differences];
    if (difference !== undefined && isPlain)
      throw new Error(`Through the proxy the mock is no longer itself: ${difference}`);
  };

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
  target: RandomTarget,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<FuzzReport> {
  const sender = createRandomSender(target, requests, WORKERS * 2);
  const differences: string[] = [];
  let agents = 0;
  const work = async (worker: number): Promise<void> => {
    let left = Math.ceil(requests / WORKERS);
    for (let number = 0; left > 0; number++) {
      const session = ownSession(target, sender, `fuzz-${worker}-${number}`, [seed, worker, number]);
      const steps = Math.min(SESSION_LENGTH, left);
      for (let step = 0; step < steps; step++) await actAtRandom(session, known);
      left -= steps;
      const { model } = session;
      const get = (path: string): ReturnType<RandomSender['send']> =>
        sender.send({ method: 'GET', path, headers: headersOf(target, model.session) });
      differences.push(...(await compare(model, get)));
      agents += model.agents.size;
      for (const id of [model.malformed, model.odd, model.session]) await endSession(target, sender, id);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  await endSessions(target, sender);
  await sender.close();
  const { sent, statuses, failures, memory } = sender.tally;
  return {
    requests: sent,
    statuses,
    failures: failures.slice(0, MOST_SHOWN),
    differences: differences.slice(0, MOST_SHOWN),
    agents,
    memory,
  };
}

function headersOf({ token }: RandomTarget, session?: string): Record<string, string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  if (session === undefined) return headers;
  return { ...headers, 'x-mock-session': session };
}

function ownSession(
  target: RandomTarget,
  sender: RandomSender,
  id: string,
  seed: readonly [number, ...number[]],
): RandomSession {
  return {
    random: randomOf(...seed),
    target,
    sender,
    model: emptyModel(id),
    tokens: [target.token],
    admin: (method, path, body) =>
      sender.send({ method, path: `/__admin${path}`, body: JSON.stringify(body), headers: headersOf(target, id) }),
  };
}

async function endSession(target: RandomTarget, sender: RandomSender, id: string): Promise<void> {
  const path = `/__admin/sessions/${encodeURIComponent(id)}`;
  await sender.send({ method: 'DELETE', path, headers: headersOf(target) });
}

/** Odd requests create sessions of any name, by path and through the admin API. */
async function endSessions(target: RandomTarget, sender: RandomSender): Promise<void> {
  const { json } = await sender.send({ method: 'GET', path: '/__admin/sessions', headers: headersOf(target) });
  for (const session of memberOf(json, 'sessions') as readonly unknown[]) {
    const id = String(memberOf(session, 'id'));
    if (id !== '') await endSession(target, sender, id);
  }
}
