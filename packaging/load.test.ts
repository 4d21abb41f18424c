import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from '@swc/core';
import { served } from '../http/testing/test-server.ts';
import type { Report } from '../conformance/index.ts';
import { testFolder } from '../cli/testing/test-io.ts';
import { servingIn } from '../cli/testing/test-mock.ts';
import { createMock } from '../mock/index.ts';
import { readPage } from '../proof/docs/pages.ts';
import { root } from './test-package.ts';

const script = readPage(root, 'docs/guides/under-load.md').blocks.find(({ file }) => file === 'load.js')?.text ?? '';
const { folder, run } = testFolder();

type Scenario = 'walk' | 'create' | 'read';
type Script = Readonly<Record<Scenario | 'teardown', () => Promise<void>>> & {
  readonly options: { readonly scenarios: Readonly<Record<string, { readonly exec: Scenario }>> };
};

/** The script with stand-ins for the modules of k6, which send with `fetch`; `refused` counts its failed checks. */
function loaded(env: Readonly<Record<string, string>>) {
  const refused: unknown[] = [];
  const stubs: Readonly<Record<string, object>> = {
    'k6/http': {
      default: {
        async asyncRequest(method: string, url: string, body: string | null, { headers = {} } = {}) {
          const answer = await fetch(url, { method, body, headers });
          const text = await answer.text();
          return { status: answer.status, json: () => JSON.parse(text) as unknown };
        },
      },
    },
    k6: {
      check: (answer: unknown, sets: Readonly<Record<string, (one: unknown) => boolean>>) =>
        Object.values(sets).every((holds) => holds(answer) || refused.push(answer) === 0),
    },
  };
  const { code } = transformSync(script, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } });
  const module = { exports: {} as Script };
  const says: string[] = [];
  const console = { log: (line: string) => says.push(line) };
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the page's own script
  new Function('require', 'module', 'exports', '__ENV', 'console', code)(
    (name: string) => ({ ...stubs[name], __esModule: true }),
    module,
    module.exports,
    env,
    console,
  );
  return { script: module.exports, refused, says };
}

/** A mock with these faults, and as many load machines, each with a proxy of its own; resolves with the reports of the proxies. */
async function under(faults: readonly string[], machines: number): Promise<readonly Report[]> {
  const mock = createMock({ seed: 1, faults });
  const server = await served(mock);
  const { token: TOKEN, agentId: AGENT_ID, workspaceId: WORKSPACE_ID } = mock.target;
  const reports: Report[] = [];
  for (let machine = 1; machine <= machines; machine++) {
    const flags = ['--operate', '127.0.0.1:0', '--record', `machine-${machine}.har`, '--report', 'json=load.json'];
    await servingIn(folder, 'proxy')([server.url, ...flags], async (printed, until) => {
      const [, BASE_URL = ''] = /proxy on (\S+),/.exec(printed) ?? [];
      const OPERATE_URL = await until(/for operators: (\S+)/);
      await inRounds({ BASE_URL, OPERATE_URL, TOKEN, AGENT_ID, WORKSPACE_ID });
    });
    reports.push(JSON.parse(readFileSync(path.join(folder, 'load.json'), 'utf8')) as Report);
  }
  return reports;
}

/** Three rounds of every scenario at once, and the end. */
async function inRounds(env: Record<string, string>): Promise<void> {
  const { script: all, refused, says } = loaded(env);
  const names = Object.values(all.options.scenarios).map(({ exec }) => exec);
  expect(names).toEqual(['walk', 'create', 'read']);
  await Promise.all([...names, ...names, ...names].map((name) => all[name]()));
  expect(refused).toEqual([]);
  await all.teardown();
  expect(says).toEqual([expect.stringMatching(/^contract: .* 54 exchanges judged\.$/)]);
}

const failing = ({ checks }: Report): readonly string[] =>
  checks.filter(({ status }) => status === 'fail').map(({ id }) => id);

test('the script finds nothing in a mock that keeps the contract, also where two machines are judged as one', async () => {
  const reports = await under([], 2);
  expect(reports.map(failing)).toEqual([[], []]);
  const { status, stdout } = await run(['judge', '--join', 'machine-1.har', 'machine-2.har', '--json']);
  const joined = JSON.parse(stdout) as Report;
  expect([status, failing(joined)]).toEqual([3, []]);
  expect(joined.requests).toBe(reports.reduce((sum, { requests }) => sum + requests, 0));
  expect(joined.counts.pass).toBeGreaterThan(15);
});

test('the script finds a fault that only walks show', async () => {
  expect((await under(['results-ascending@later-pages'], 1)).map(failing)).toEqual([['list-results-newest-first']]);
});
