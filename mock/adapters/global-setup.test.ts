import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMock } from '../mock.ts';
import { profiles } from '../profiles/index.ts';
import startMock = require('./global-setup.ts');
import rows from '../testing/variables.json';

const before = { ...process.env };
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AGENT_CONTRACT_')) delete process.env[name];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => void Object.assign(process.env, before));

async function start(env: Readonly<Record<string, string>>, context?: Parameters<typeof startMock>[0]): Promise<void> {
  for (const [name, value] of Object.entries(env)) process.env[`AGENT_CONTRACT_${name}`] = value;
  stops.push(await startMock(context));
}

const given = (name: string): string => process.env[`AGENT_CONTRACT_${name}`] ?? '';
const ask = (target: string): Promise<Response> =>
  fetch(`${given('BASE_URL')}${target}`, { headers: { authorization: `Bearer ${given('TOKEN')}` } });

test('starts a mock from environment variables, and leaves its address there', async () => {
  await start({ SEED: '7', NOW: '2026-05-20T15:30:00Z', FREEZE: 'yes', PERSONA: 'demo' });
  const { target } = createMock({ seed: 7 });
  const expected = [target.agentId, target.publishedAgentId, target.readToken];
  expect([given('AGENT_ID'), given('PUBLISHED_AGENT_ID'), given('READ_TOKEN')]).toEqual(expected);
  const response = await ask(`/api/v1/agents/${given('AGENT_ID')}`);
  expect([response.status, response.headers.get('date')]).toEqual([200, 'Wed, 20 May 2026 15:30:00 GMT']);
});

const provided: unknown[] = [];
const provide = (_: string, value: unknown): void => void provided.splice(0, 1, value);

test('sets no ids of agents for a world without agents', async () => {
  await start({ PERSONA: 'empty' }, { provide });
  const ids = ['AGENT_ID', 'PUBLISHED_AGENT_ID', 'V5_AGENT_ID'];
  expect(ids.filter((name) => `AGENT_CONTRACT_${name}` in process.env)).toEqual([]);
  const tokens = { token: given('TOKEN'), readToken: given('READ_TOKEN'), guestToken: given('GUEST_TOKEN') };
  expect(provided).toEqual([{ baseUrl: given('BASE_URL'), ...tokens, workspaceId: given('WORKSPACE_ID') }]);
});

test('closes the mock when the last user stops it, and removes what it set', async () => {
  await start({});
  await start({}, { provide: (...of: unknown[]) => void provided.splice(0, 1, of) });
  const told = expect.objectContaining({ baseUrl: given('BASE_URL'), agentId: given('AGENT_ID') }) as object;
  expect(provided).toEqual([['agentContract', told]]);
  const url = given('BASE_URL');
  await stops.shift()?.();
  expect((await ask('/__admin/health')).status).toBe(200);
  await stops.shift()?.();
  expect(Object.keys(process.env).filter((name) => name.startsWith('AGENT_CONTRACT_'))).toEqual([]);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('starts each run with a new mock', async () => {
  let again = (): void => undefined;
  await start({}, { onTestsRerun: (listener: () => void) => void (again = listener) });
  const received = async (): Promise<unknown> => (await ask('/__admin/requests')).json();
  const nothing = await received();
  for (const beginAnew of [() => start({}), () => Promise.resolve(again())]) {
    await ask('/api/v1/agents/none');
    await ask('/_s/one/api/v1/agents/none');
    expect(await received()).not.toEqual(nothing);
    await beginAnew();
    expect(await received()).toEqual(nothing);
    expect(await (await ask('/_s/one/__admin/requests')).json()).toMatchObject({ requests: [] });
  }
});

test('leaves a server alone that is already configured, and passes it on to tests', async () => {
  await start({ BASE_URL: 'https://service.example', TOKEN: 't' }, { provide });
  expect(provided).toEqual([{ baseUrl: 'https://service.example', token: 't' }]);
  expect(given('AGENT_ID')).toBe('');
});

test('takes a profile by name or from a file', async () => {
  await start({ PROFILE: 'trpc' });
  expect(await (await ask('/api/v1/agents/none')).json()).toMatchObject({ code: 'NOT_FOUND' });
  await stops.shift()?.();
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-profile-'));
  const file = path.join(folder, 'own.json');
  writeFileSync(file, JSON.stringify({ ...profiles.default, 'not-found-status': 'forbidden-403' }));
  await start({ PROFILE: file });
  rmSync(folder, { recursive: true });
  expect((await ask('/api/v1/agents/none')).status).toBe(403);
});

const refused = rows.refused as [Record<string, string>, string][];
test.each(refused)('%j is refused, and leaves nothing behind', async (env, message) => {
  await expect(start(env)).rejects.toThrow(message);
  expect(given('BASE_URL')).toBe('');
  for (const name of Object.keys(env)) delete process.env[`AGENT_CONTRACT_${name}`];
  await start({});
  expect(given('BASE_URL')).toMatch(/^http:/);
});
