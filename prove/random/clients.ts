import { field } from '../../conformance/json.ts';
import type { Program } from '../foreign/typed-client.ts';
import { actAtRandom, amongOthers, known, type Mix, type RandomSession } from './actions.ts';
import { compare, emptyModel } from './model.ts';
import { randomOf } from './random.ts';
import { createRandomSender, type RandomSender, type RandomTarget } from './sending.ts';

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
    await sender.pool.close();
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

/** After so many requests a session is compared and replaced: an ended one must leave nothing behind. */
const SESSION_LENGTH = 1500;
const MOST_SHOWN = 20;

/**
 * Sends valid and invalid requests over real sockets, several at a time, each worker in its own session. At the end of
 * each session, compares its content with a model. The same seed sends the same requests.
 * @returns what was sent and answered, and the differences between the target's state and the model
 */
export async function fuzz(
  target: RandomTarget,
  { requests, seed, mix = known, workers = 8 }: Record<'requests' | 'seed', number> & { mix?: Mix; workers?: number },
) {
  const sender = createRandomSender(target, requests, workers * 2);
  const differences: string[] = [];
  let agents = 0;
  /** Sends a request of a session, or of none. */
  const call = (method: string, path: string, session?: string, body?: unknown): ReturnType<RandomSender['send']> => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${target.token}`,
      'content-type': 'application/json',
    };
    if (session !== undefined) headers['x-mock-session'] = session;
    return sender.send({ method, path, body: JSON.stringify(body), headers });
  };
  const endSession = (id: string): ReturnType<typeof call> =>
    call('DELETE', `/__admin/sessions/${encodeURIComponent(id)}`);

  const work = async (worker: number): Promise<void> => {
    let left = Math.ceil(requests / workers);
    for (let number = 0; left > 0; number++) {
      const model = emptyModel(`fuzz-${worker}-${number}`);
      const session: RandomSession = {
        random: randomOf(seed, worker, number),
        target,
        sender,
        model,
        tokens: [target.token],
        admin: (method, path, body) => call(method, `/__admin${path}`, model.session, body),
      };
      const steps = Math.min(SESSION_LENGTH, left);
      for (let step = 0; step < steps; step++) await actAtRandom(session, mix);
      left -= steps;
      differences.push(...(await compare(model, (path) => call('GET', path, model.session))));
      agents += model.agents.size;
      for (const id of [model.malformed, model.odd, model.session]) await endSession(id);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  // Odd requests create sessions of any name, by path and through the admin API.
  const { json } = await call('GET', '/__admin/sessions');
  const ids = (field(json, 'sessions') as readonly unknown[]).map((session) => String(field(session, 'id')));
  for (const id of ids) if (id !== '') await endSession(id);
  await sender.pool.close();
  const { failures, ...tally } = sender.tally;
  const shown = { failures: failures.slice(0, MOST_SHOWN), differences: differences.slice(0, MOST_SHOWN) };
  return { ...tally, ...shown, agents };
}
