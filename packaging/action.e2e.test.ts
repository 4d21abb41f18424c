import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { served } from '../http/testing/test-server.ts';
import { createMock } from '../mock/index.ts';
import { root, runScript, temporaryFolder } from './test-package.ts';

// Runs the action as a runner would. Only GitHub itself can show that it finds the action, and how it treats annotations, the
// summary and masks.

type Described = Readonly<
  Record<string, { readonly description: string; readonly default?: string; readonly value?: string }>
>;
interface Action extends Readonly<Record<'name' | 'description', string>> {
  readonly inputs: Described;
  readonly outputs: Described;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
interface Step extends Readonly<Record<'id' | 'shell' | 'run', string>> {
  readonly env: Readonly<Record<string, string>>;
}

const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;
const folder = temporaryFolder();
const mock = createMock({ tokens: { 'secret-write': 'write', 'secret-read': 'read', 'secret-guest': 'guest' } });
const wrong = createMock({ faults: ['results-ascending'] });
let [url, wrongUrl] = ['', ''];

beforeAll(async () => {
  [url, wrongUrl] = [(await served(mock)).url, (await served(wrong)).url];
});

let runs = 0;

/** Does what a runner does with the only step of the action: fills in its variables, and runs its script in bash. */
async function run(given: Readonly<Record<string, string>>) {
  const place = path.join(folder, `run-${(runs += 1)}`);
  const [step] = action.runs.steps;
  if (step === undefined) throw new Error('The action has no step.');
  const unknown = Object.keys(given).filter((name) => action.inputs[name] === undefined);
  expect(unknown).toEqual([]);
  const valueOf = (expression: string): string => {
    const [, name = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    return given[name] ?? action.inputs[name]?.default ?? '';
  };
  const inPlace = (name: string): string => path.join(place, name);
  for (const name of ['workspace', 'temporary']) mkdirSync(inPlace(name), { recursive: true });
  for (const name of ['output', 'summary']) writeFileSync(inPlace(name), '');
  writeFileSync(inPlace('script.sh'), step.run);
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: inPlace('output'),
    GITHUB_STEP_SUMMARY: inPlace('summary'),
    RUNNER_TEMP: inPlace('temporary'),
    ...Object.fromEntries(Object.entries(step.env).map(([name, expression]) => [name, valueOf(expression)])),
  };
  const workspace = inPlace('workspace');
  const { status, log } = await runScript(['-eo', 'pipefail', inPlace('script.sh')], { cwd: workspace, env });
  const written = readFileSync(inPlace('output'), 'utf8');
  const summary = readFileSync(inPlace('summary'), 'utf8');
  const set = Object.fromEntries(
    [...written.matchAll(/^([\w-]+)<<(.*)\n([\s\S]*?)\n\2$/gm)].map(([, name = '', , value = '']) => [name, value]),
  );
  const outputs: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => {
      const [, of = ''] = /^\$\{\{ steps\.check\.outputs\.([\w-]+) \}\}$/.exec(value ?? '') ?? [];
      return [name, set[of] ?? 'not set'];
    }),
  );
  return { status, log, summary, outputs, workspace };
}

const ids = (): Record<string, string> => ({
  'workspace-id': mock.target.workspaceId,
  'agent-id': mock.target.agentId ?? '',
  'published-agent-id': mock.target.publishedAgentId ?? '',
  'v5-agent-id': mock.target.v5AgentId ?? '',
});
const tokens = { token: 'secret-write', 'read-token': 'secret-read', 'guest-token': 'secret-guest' };

describe('action.yml', () => {
  test('is a composite action whose parts all have descriptions', () => {
    const { name, description, runs: how, inputs, outputs } = action;
    expect([name, description, how.using]).toEqual([expect.any(String), expect.any(String), 'composite']);
    for (const one of [...Object.values(inputs), ...Object.values(outputs)])
      expect(one.description).toMatch(/\.$|\)\.$/);
    expect(how.steps.map(({ id, shell }) => [id, shell])).toEqual([['check', 'bash']]);
  });

  test('passes every input as a variable, and writes none into the script', () => {
    const [step] = action.runs.steps;
    expect(step?.run).not.toContain('${{');
    const names = Object.keys(action.inputs);
    expect(step?.env).toEqual(
      Object.fromEntries(
        names.map((name) => [`INPUT_${name.replaceAll('-', '_').toUpperCase()}`, `\${{ inputs.${name} }}`]),
      ),
    );
  });
});

describe('a run', () => {
  test('judges, writes reports and the summary, sets outputs, masks tokens before all else, and shows none', async () => {
    const { status, log, summary, outputs } = await run({ 'base-url': url, ...ids(), ...tokens });
    expect([status, log]).toEqual([0, expect.stringMatching(/\nCONFORMANT: /)]);
    expect(outputs).toMatchObject({ outcome: 'conformant', 'exit-code': '0' });
    expect(summary).toMatch(/conformant/i);
    expect(readFileSync(outputs['markdown'] ?? '', 'utf8')).toBe(summary);
    for (const [format, start] of Object.entries({ json: '{', junit: '<?xml', sarif: '{', html: '<!doctype html>' }))
      expect([format, readFileSync(outputs[format] ?? '', 'utf8').toLowerCase()]).toEqual([
        format,
        expect.stringContaining(start),
      ]);
    expect(path.dirname(outputs['sarif'] ?? '')).toBe(outputs['report-folder']);
    const masks = Object.values(tokens).map((token) => `::add-mask::${token}`);
    expect(log.split('\n').slice(0, 3)).toEqual(masks);
    const rest = log.split('\n').slice(3).join('\n') + summary;
    for (const token of Object.values(tokens)) expect(rest).not.toContain(token);
  });

  test('fails with the exit status of the program, and annotates', async () => {
    const { token, agentId } = wrong.target;
    const given = { 'base-url': wrongUrl, token, 'agent-id': agentId, args: '--only\nlist-results-newest-first' };
    const { status, log, outputs } = await run(given);
    expect([status, outputs['outcome'], outputs['exit-code']]).toEqual([1, 'nonconformant', '1']);
    expect(log).toMatch(/^::error /m);
  });

  test('fails if it is partial, unless that is allowed', async () => {
    const given = { 'base-url': url, ...ids(), ...tokens, args: '--read-only\n--only\n4' };
    expect(await run(given)).toMatchObject({ status: 3, outputs: { outcome: 'partial', 'exit-code': '3' } });
    const allowed = await run({ ...given, 'allow-partial': 'true' });
    expect(allowed).toMatchObject({ status: 0, outputs: { outcome: 'partial' } });
  });

  test('accepts a target file and a folder for reports', async () => {
    const target = path.join(folder, 'target.json');
    writeFileSync(target, JSON.stringify({ baseUrl: url, token: 'secret-write', agentId: mock.target.agentId }));
    const given = { 'target-file': target, 'report-folder': 'reports', args: '--only\n4.3', 'allow-partial': 'true' };
    const { status, outputs, workspace } = await run(given);
    expect([status, outputs['report-folder']]).toEqual([0, path.join(workspace, 'reports')]);
    expect(existsSync(path.join(workspace, 'reports/report.html'))).toBe(true);
  });
});

describe('an input', () => {
  // Ends the context that it may be in, in every way that a shell knows, and then does something.
  const nasty = `"; touch pwned; "$(touch pwned)\`touch pwned\`'; touch pwned; '\ntouch pwned\n%0Atouch pwned`;

  test('is not executed by any shell', async () => {
    const names = ['base-url', 'token', 'agent-id', 'read-token', 'target-file', 'baseline', 'args'];
    const { status, workspace } = await run(Object.fromEntries(names.map((name) => [name, nasty])));
    expect([status, existsSync(path.join(workspace, 'pwned'))]).toEqual([2, false]);
  });

  test('sets no output of its own', async () => {
    const reports = 'a\noutcome<<x\nconformant\nx';
    const { outputs } = await run({ 'base-url': url, token: 'x', 'report-folder': reports, args: '--only\n5' });
    expect(outputs['outcome']).not.toBe('conformant');
  });

  test.each(['token', 'read-token', 'guest-token'])(
    'that is a secret goes only where the user sends it: %s',
    async (name) => {
      const alone = await run({ [name]: 'secret-write' });
      expect(alone).toMatchObject({ status: 2, outputs: { 'exit-code': '2' } });
      expect(alone.log).toContain(
        `::error title=Agent contract::${name} is given, but nothing says where to send it. Set base-url, or set target-file`,
      );
      const placed = await run({ [name]: 'secret-write', 'base-url': url, args: '--read-only\n--only\n4.3' });
      expect(placed.status).not.toBe(2);
    },
  );
});
