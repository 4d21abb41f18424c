import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { hostname } from 'node:os';
import path from 'node:path';
import { served } from '../../http/testing/test-server.ts';
import { createMock, type MockServer } from '../../mock/index.ts';
import { makeCertificate } from './certificate.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';
import { servingIn, serveJson } from '../testing/test-mock.ts';

// These are whole runs, possibly on a busy machine.
const folder = temporaryFolder();
const serving = servingIn(folder);
const servingJson = serveJson(folder);
const inFolder = (name: string): string => path.join(folder, name);

const health = (url: string, ca: string | undefined): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${url}/__admin/health`, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

test('--https serves with a certificate for this machine and the host, which clients can trust', async () => {
  const flags = ['--https', '--host', 'localhost', '--write-certificate', 'made.pem'];
  await servingJson(flags, async ({ url, port, certificate }) => {
    expect([url, certificate]).toEqual([`https://localhost:${port}`, inFolder('made.pem')]);
    const pem = readFileSync(certificate, 'utf8');
    expect(await health(url, pem)).toBe(200);
    await expect(health(url, undefined)).rejects.toThrow(/self-signed|self signed/);
    const { subjectAltName, validTo } = new X509Certificate(pem);
    expect(subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(300 * 86_400_000);
  });
});

test('the banner and the target file say how to trust it, and a check does', async () => {
  await serving(['--https', '--write-certificate', 'made.pem', '--write-target', 'target.json'], async (banner) => {
    expect(banner).toContain(`--ca ${inFolder('made.pem')}`);
    expect(banner.split(`curl --cacert ${inFolder('made.pem')} `)).toHaveLength(3);
    const { status, stderr } = await run(['check', '--target', inFolder('target.json'), '--only', 'get-agent']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
  await serving(['--https'], (banner) => {
    expect(banner).toMatch(/--write-certificate FILE/);
    expect(banner).toMatch(/agent-contract check https:.*--insecure/);
  });
});

test.each([
  ['mock.example', 'DNS:mock.example'],
  ['bücher.example', 'DNS:xn--bcher-kva.example'],
  ['10.0.0.7', 'IP Address:10.0.0.7'],
  ['fe80::1%eth0', 'IP Address:FE80:0:0:0:0:0:0:1'],
  ['::ffff:1.2.3.4', 'IP Address:0:0:0:0:0:FFFF:102:304'],
  ['0.0.0.0', `DNS:${hostname()}`],
])('a certificate for %s names it, and is valid only for servers', async (host, name) => {
  const { cert, key } = await makeCertificate(host);
  const made = new X509Certificate(cert);
  expect(made.subjectAltName?.split(', ')).toEqual([
    'DNS:localhost',
    'IP Address:127.0.0.1',
    'IP Address:0:0:0:0:0:0:0:1',
    name,
  ]);
  expect([made.ca, made.keyUsage, made.subject, made.issuer]).toEqual([
    false,
    ['1.3.6.1.5.5.7.3.1'],
    'CN=localhost',
    'CN=localhost',
  ]);
  expect(made.verify(made.publicKey) && made.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(made.serialNumber).toMatch(/^01[0-9A-F]{30}$/);
  expect((await makeCertificate(host)).cert).not.toBe(cert);
});

const real = createMock({ seed: 1, persona: 'tiny' });
let server: MockServer;

beforeAll(async () => {
  const { cert, key } = await makeCertificate('127.0.0.1');
  writeFileSync(inFolder('upstream.pem'), cert);
  writeFileSync(inFolder('other.pem'), (await makeCertificate('127.0.0.1')).cert);
  server = await served(real, { tls: { cert, key } });
});

test.each([
  [['--ca', 'upstream.pem'], true],
  [['--insecure'], true],
  [[], false],
  [['--ca', 'other.pem'], false],
  [['--fallback'], false],
])(
  'an upstream with a private certificate answers only who trusts it, and others get a remedy: %j',
  async (flags, trusts) => {
    const { agentId, token } = real.target;
    await servingJson(['--persona', 'empty', '--upstream', server.url, ...flags], async ({ url }) => {
      const answer = await fetch(`${url}/api/v1/agents/${agentId}`, { headers: { authorization: `Bearer ${token}` } });
      const [status, source] = trusts ? [200, 'upstream'] : [502, 'mock'];
      expect([answer.status, answer.headers.get('x-agent-contract-source')]).toEqual([status, source]);
      const remedy =
        /The certificate of [\w.:]+ is not trusted \(\w+\)\. Name the authority that signed it with --ca FILE, .* --insecure/;
      expect(await answer.text()).toMatch(trusts ? agentId : remedy);
    });
  },
);

test('--like works with a server with a private certificate', async () => {
  const flags = ['--like', server.url, '--read-only', '--ca', 'upstream.pem'];
  const env = { AGENT_CONTRACT_TOKEN: real.target.token, AGENT_CONTRACT_AGENT_ID: real.target.agentId };
  const { stderr } = await servingJson(flags, () => undefined, env);
  expect(stderr).toMatch(/today: \d+ of \d+ choices/);
});
