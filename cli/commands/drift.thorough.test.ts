import { served } from '../../http/testing/test-server.ts';
import { createMock, type MockOptions } from '../../mock/index.ts';
import { testFolder } from '../testing/test-io.ts';

const { run } = testFolder();

/** A vendor's server, today. */
async function vendor(options: MockOptions): Promise<readonly string[]> {
  const mock = createMock({ seed: 1, ...options });
  const { url } = await served(mock);
  const { token, agentId } = mock.target;
  return [url, '--token', token, '--agent-id', agentId, '--read-only'];
}

beforeAll(async () => run(['check', ...(await vendor({})), '--seed', '1', '--report', 'json=vendor.json']));

test.each<[string, MockOptions, number, RegExp]>([
  ['as before', {}, 0, /NOT WORSE/],
  ['in breach of the contract', { faults: ['results-ascending'] }, 1, /Newly failing[^]*list-results-newest-first/],
  ['with other choices', { profile: 'trpc' }, 1, /Observed choices that changed/],
])('says that a server is %s', async (_, options, status, says) => {
  const ended = await run(['drift', 'vendor.json', ...(await vendor(options))]);
  expect([ended.status, ended.stdout]).toEqual([status, expect.stringMatching(says)]);
});

test('ends with 4 if nothing answers', async () => {
  const argv = ['drift', 'vendor.json', 'http://127.0.0.1:1', '--token', 't', '--agent-id', 'a'];
  expect((await run(argv)).status).toBe(4);
});
