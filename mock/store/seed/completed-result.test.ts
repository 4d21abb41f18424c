import { testMock } from '../../testing/test-client.ts';

const createdAt = '2026-05-01T10:00:00.000Z';
const updatedAt = '2026-05-02T10:00:00.000Z';
const now = '2026-05-20T15:30:00.000Z';
const { agentId, workspaceId } = testMock().mock.target;
const rest = { agentId, workspaceId, hasStarted: true, isCompleted: false, variables: [], answers: [] };

test.each([
  [{ id: 'a' }, { id: 'a', createdAt: now, updatedAt: now, ...rest }],
  [
    { id: 'a', createdAt, isCompleted: true },
    { id: 'a', createdAt, updatedAt: createdAt, ...rest, isCompleted: true },
  ],
  [
    { id: 'a', createdAt, updatedAt },
    { id: 'a', createdAt, updatedAt, ...rest },
  ],
])('%j is completed in the same way from a seed and when it is added', (given, completed) => {
  const { mock } = testMock();
  mock.addResults(agentId, [given]);
  const seeded = testMock({ seedData: { results: { [agentId]: [given] } } }).mock;
  for (const { store } of [mock, seeded]) {
    const listing = store.results(agentId);
    const found = Array.from({ length: listing.count }, (_, i) => listing.at(i)).find(({ id }) => id === 'a');
    expect(found).toEqual(completed);
  }
});
