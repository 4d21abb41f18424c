import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { served } from '../http/testing/test-server.ts';
import manifest from '../package.json';
import { flags as checkFlags } from '../cli/commands/check.ts';
import { mockFlags } from '../cli/mock/flags.ts';
import { variableOf } from '../cli/flags.ts';
import { createMock } from '../mock/index.ts';
import { execute, root } from './test-package.ts';

// What can be tested of an image without building it.

const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const variables = Object.entries(mockFlags).map(([key, flag]) => variableOf(key, flag));
const line = (start: RegExp): string => last.split('\n').find((one) => start.test(one)) ?? '';

describe('the image', () => {
  test('has the current version, and runs without privileges', () => {
    expect(last).toContain(`org.opencontainers.image.version="${manifest.version}"`);
    expect(last).toContain(`org.opencontainers.image.licenses="${manifest.license}"`);
    expect(last.indexOf('\nUSER 1000:1000\n')).toBeLessThan(last.indexOf('\nENTRYPOINT'));
    expect(last.indexOf('\nUSER 1000:1000\n')).toBeGreaterThan(last.indexOf('\nCOPY'));
  });

  test('starts the program of the package with an existing command', () => {
    const entry = JSON.parse(line(/^ENTRYPOINT/).replace('ENTRYPOINT ', '')) as string[];
    expect(entry).toEqual(['node', `/app/${manifest.bin['agent-contract']}`]);
    expect(line(/^CMD/)).toBe('CMD ["mock"]');
  });

  test('sets variables that the mock knows', () => {
    const set = [...line(/^ENV/).matchAll(/(AGENT_CONTRACT_\w+)=/g)].map(([, name]) => name);
    expect(set).toHaveLength(2);
    expect(variables).toEqual(expect.arrayContaining(set));
  });

  test('is healthy if and only if the mock answers', async () => {
    const [, command = '[]'] = /HEALTHCHECK .*CMD (\[.*\])/.exec(line(/^HEALTHCHECK/)) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    const mock = await served(createMock());
    const env = { ...process.env, AGENT_CONTRACT_PORT: String(mock.port) };
    await execute(process.execPath, args, { env });
    await mock.close();
    await expect(execute(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });
  });
});

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: object;
}
interface Compose {
  readonly services: Readonly<Record<'mock' | 'app', Service>>;
}

describe('the example of an app beside the mock', () => {
  const { mock, app } = (parse(readFileSync(path.join(root, 'compose.yaml'), 'utf8')) as Compose).services;

  test('publishes the mock only to the machine itself, and waits for it', () => {
    expect(mock.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(app.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
  });

  test('uses existing flags of the mock', () => {
    const known = Object.keys({ ...mockFlags, ...checkFlags }).map((key) => `--${key}`);
    expect(known).toEqual(expect.arrayContaining(mock.command.filter((one) => one.startsWith('--'))));
    expect(variables).toEqual(expect.arrayContaining(Object.keys(mock.environment)));
  });

  test('is accepted by the mock', async () => {
    const [mode, token = ''] = mock.environment['AGENT_CONTRACT_TOKENS']?.split('=') ?? [];
    expect(mode).toBe('write');
    const server = await served(createMock({ tokens: { [token]: 'write' } }));
    const [command = '', ...args] = app.command.map((one) => one.replaceAll('$$', '$'));
    const env = { ...process.env, ...app.environment, AGENT_SERVICE_URL: server.url };
    const program = command === 'node' ? process.execPath : command;
    const { stdout } = await execute(program, args, { env });
    expect(stdout).toMatch(/^20\d \{"workspace":/);
  });
});
