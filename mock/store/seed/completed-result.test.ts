import type { JsonObject } from '../../../text/json.ts';
import { testMock } from '../../testing/test-client.ts';

const createdAt = '2026-05-01T10:00:00.000Z';
const updatedAt = '2026-05-02T10:00:00.000Z';
const now = '2026-05-20T15:30:00.000Z';
const { agentId, workspaceId } = testMock().mock.target;
const usual = { id: 'a', agentId, workspaceId, hasStarted: true, isCompleted: false, variables: [], answers: [] };

const sent: Record<string, string | boolean>[] = [{}, { createdAt, isCompleted: true }, { createdAt, updatedAt }];
test.each(sent)('%j is completed in the same way from a seed and when it is added', (fields) => {
  const given: JsonObject = { id: 'a', ...fields };
  const completed = { ...usual, createdAt: now, updatedAt: given['createdAt'] ?? now, ...given };
  const { mock } = testMock();
  mock.edits.addResults(agentId, [given]);
  const seeded = testMock({ seedData: { results: { [agentId]: [given] } } }).mock;
  for (const { store } of [mock, seeded]) {
    const listing = store.results(agentId);
    const found = Array.from({ length: listing.count }, (_, i) => listing.at(i)).find(({ id }) => id === 'a');
    expect(found).toEqual(completed);
  }
});
