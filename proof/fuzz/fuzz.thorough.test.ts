import { served } from '../../http/testing/test-server.ts';
import { createMock } from '../../mock/index.ts';
import { fuzz } from '../../prove/random/clients.ts';

test('a mock under valid and invalid requests neither fails nor forgets', async () => {
  const mock = createMock();
  const server = await served(mock);
  const { requests, failures, differences, agents, statuses } = await fuzz(
    { baseUrl: server.url, ...mock.target },
    { requests: 2000, seed: 1 },
  );
  expect({ failures, differences }).toEqual({ failures: [], differences: [] });
  expect(requests).toBeGreaterThan(2000);
  expect(agents).toBeGreaterThan(100);
  expect(mock.sessions.list()).toEqual([]);
  // The requests included every kind.
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '201', '400', '401', '404', 'garbage']));
});

test.each(['created-agent-reads-otherwise', 'imported-agent-not-stored'])('detects a mock with %s', async (fault) => {
  const mock = createMock({ faults: [fault] });
  const server = await served(mock);
  const { differences } = await fuzz({ baseUrl: server.url, ...mock.target }, { requests: 400, seed: 1 });
  expect(differences.length).toBeGreaterThan(0);
});
