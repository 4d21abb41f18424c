import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createMock, type MockServer } from '../../mock/index.ts';
import { temporaryFolder } from '../testing/test-io.ts';
import { serveJson } from '../testing/test-mock.ts';
import { makeCertificate } from './certificate.ts';

const folder = temporaryFolder();
const real = createMock({ seed: 1, persona: 'tiny' });
let server: MockServer;

beforeAll(async () => {
  const { cert, key } = await makeCertificate('127.0.0.1');
  writeFileSync(path.join(folder, 'own.pem'), cert);
  writeFileSync(path.join(folder, 'other.pem'), (await makeCertificate('127.0.0.1')).cert);
  server = await real.listen({ tls: { cert, key } });
});
afterAll(() => server.close());

/** The mock's answer about an agent that only the server has. */
async function answerWith(flags: readonly string[]): Promise<unknown> {
  let received: unknown;
  await serveJson(folder)(['--persona', 'empty', '--upstream', server.url, ...flags], async ({ url }) => {
    const { agentId, token } = real.target;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/v1/agents/${agentId}`, { headers });
    received = [answer.status, answer.headers.get('x-agent-contract-source'), await answer.text()];
  });
  return received;
}

test.each([[['--ca', 'own.pem']], [['--insecure']]])(
  'an upstream with a private certificate answers: %j',
  async (flags) => {
    expect(await answerWith(flags)).toEqual([200, 'upstream', expect.stringContaining(real.target.agentId)]);
  },
);

test.each([[[]], [['--ca', 'other.pem']], [['--fallback']]])(
  'without trust in the certificate it is refused, with a remedy: %j',
  async (flags) => {
    expect(await answerWith(flags)).toEqual([
      502,
      'mock',
      expect.stringMatching(
        /The certificate of [\w.:]+ is not trusted \(\w+\)\. Name the authority that signed it with --ca FILE, .* --insecure/,
      ),
    ]);
  },
);

test('--like works with such a server', async () => {
  const flags = ['--like', server.url, '--read-only', '--ca', 'own.pem'];
  const env = { AGENT_CONTRACT_TOKEN: real.target.token, AGENT_CONTRACT_AGENT_ID: real.target.agentId };
  const { stderr } = await serveJson(folder)(flags, () => undefined, env);
  expect(stderr).toMatch(/today: \d+ of \d+ choices/);
});
