import { circumstancesFor, readCall } from '../mock/answer.ts';
import { triggersHeld } from '../mock/faults/triggers/triggers.ts';
import type { Mock, MockRequest } from '../mock/index.ts';
import { readQuery } from '../mock/service/query.ts';
import { route } from '../mock/service/route.ts';
import { endpointIds, triggerIds, triggersOf, violationIds, violations } from '../spec/index.ts';

/** The triggers that hold for a request before the mock answers it, as `get-agent@second-read`. */
export function triggersHeldBy(mock: Mock, request: MockRequest): readonly string[] {
  const [path = '', ...search] = request.target.split('?');
  const found = route(request.method, path);
  const { profile, tokens } = mock;
  const call = readCall(
    { request, found, query: readQuery(search.join('?')) },
    { profile, now: mock.clock.now(), tokens },
  );
  if ('kind' in call) return [];
  const circumstances = circumstancesFor(call, request, mock);
  return triggersHeld(call, mock.store, circumstances).map((trigger) => `${call.endpoint}@${trigger}`);
}

/** Every trigger at every endpoint with a violation that fits it. */
export const triggersToMeet = (): readonly string[] =>
  endpointIds.flatMap((endpoint) =>
    triggerIds
      .filter((trigger) =>
        violationIds.some((id) => violations[id].at.includes(endpoint) && triggersOf(id).includes(trigger)),
      )
      .map((trigger) => `${endpoint}@${trigger}`),
  );
