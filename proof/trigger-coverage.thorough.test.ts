import { runConformance } from '../conformance/index.ts';
import { idsOfTarget, inProcess, proofNow } from '../prove/target.ts';
import { circumstancesFor, readCall } from '../mock/answer.ts';
import { triggersHeld } from '../mock/faults/triggers/triggers.ts';
import { createMock, type Mock, type MockRequest } from '../mock/index.ts';
import { readQuery, route } from '../mock/service/route.ts';
import { endpointIds, triggerIds, triggersOf, violationIds, violations } from '../spec/index.ts';

/** The triggers that hold for a request before the mock answers it, as `get-agent@second-read`. */
function triggersHeldBy(mock: Mock, request: MockRequest): readonly string[] {
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
const triggersToMeet = (): readonly string[] =>
  endpointIds.flatMap((endpoint) =>
    triggerIds
      .filter((trigger) =>
        violationIds.some((id) => violations[id].at.includes(endpoint) && triggersOf(id).includes(trigger)),
      )
      .map((trigger) => `${endpoint}@${trigger}`),
  );

test('a run meets every trigger at every endpoint where a violation fits it, and its report says so', async () => {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true });
  const met = new Set<string>();
  const report = await runConformance({
    baseUrl: 'http://mock.test',
    ...idsOfTarget(mock),
    transport: inProcess(mock, (request) => {
      for (const held of triggersHeldBy(mock, request)) met.add(held);
    }),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
  });
  expect(triggersToMeet().filter((wanted) => !met.has(wanted))).toEqual([]);
  // The clock of this run stands still.
  expect(triggerIds.filter((trigger) => report.met?.triggers.includes(trigger) !== true)).toEqual(['after-a-second']);
});
