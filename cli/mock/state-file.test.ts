import fs from 'node:fs';
import path from 'node:path';
import type { MockState } from '../../mock/index.ts';
import { PAUSE } from './state-file.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';
import { reached, servingIn, serveJson, type Ready } from '../testing/test-mock.ts';

const folder = temporaryFolder();
const serving = servingIn(folder);
const servingJson = serveJson(folder);

let files = 0;
/** The path of a file that does not exist yet. */
const newFile = (): string => path.join(folder, `state-${++files}.json`);
const inFile = (file: string): MockState => JSON.parse(fs.readFileSync(file, 'utf8')) as MockState;
const names = (file: string): string[] => fs.readdirSync(folder).filter((name) => name.startsWith(path.basename(file)));

/** Resolves when the file contains a text. */
async function saved(file: string, text: string): Promise<void> {
  const watcher = fs.watch(path.dirname(file));
  await reached(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(text), watcher, 'change');
  watcher.close();
}

const headers = (ready: Ready) => ({
  authorization: `Bearer ${ready.target.token}`,
  'content-type': 'application/json',
});
async function create(ready: Ready, name: string): Promise<string> {
  const body = JSON.stringify({ workspaceId: ready.target.workspaceId, agent: { name } });
  const answer = await fetch(`${ready.url}/api/v1/agents`, { method: 'POST', headers: headers(ready), body });
  return ((await answer.json()) as { agent: { id: string } }).agent.id;
}
async function statusOf(ready: Ready, id: string): Promise<number> {
  return (await fetch(`${ready.url}/api/v1/agents/${id}`, { headers: headers(ready) })).status;
}

describe('a state file', () => {
  test('survives a restart, is readable only by its owner, and leaves no other files', async () => {
    const file = newFile();
    let id = '';
    await servingJson(['--state', file, '--seed', '7', '--persona', 'tiny'], async (ready) => {
      expect(names(file)).toContain(`${path.basename(file)}.lock`);
      id = await create(ready, 'Kept');
    });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(names(file)).toEqual([path.basename(file)]);
    await servingJson(['--state', file], async (ready) => {
      expect(ready).toMatchObject({ seed: 7, persona: 'tiny', state: file });
      expect(await statusOf(ready, id)).toBe(200);
      await create(ready, 'Another');
    });
    await serving(['--state', file], (banner) => expect(banner).toMatch(/^ *state .* 2 created before$/m));
  });

  test('restores its settings, and flags override them', async () => {
    const file = newFile();
    const now = ['--now', '2026-05-20T15:30:00Z', '--freeze'];
    await serving(
      ['--state', file, '--fault', 'limit-1-refused', '--latency', '1', '--profile', 'trpc', ...now],
      () => {},
    );
    await serving(['--state', file], () => {});
    const { '': kept } = inFile(file).sessions;
    expect(kept).toMatchObject({
      faults: ['limit-1-refused'],
      settings: { latency: { milliseconds: 1 } },
      profile: { 'error-body': 'trpc' },
      clock: { frozenAt: Date.UTC(2026, 4, 20, 15, 30) },
    });
    const others = ['--fault', 'results-ascending', '--latency', '2', '--choice', 'error-body=message'];
    await serving(['--state', file, ...others, '--now', '2026-05-21T00:00:00Z', '--freeze'], () => {});
    const { '': changed } = inFile(file).sessions;
    expect(changed).toMatchObject({
      faults: ['results-ascending'],
      settings: { latency: { milliseconds: 2 } },
      clock: { frozenAt: Date.UTC(2026, 4, 21) },
    });
    expect(changed?.profile).toEqual({ ...kept?.profile, 'error-body': 'message' });
  });

  const kept = String.raw`[^]* The mock left it as it is\. Fix it, name another file, or delete it to start afresh\.\n$`;
  test.each<[string, (text: string, file: string) => string, string, string?]>([
    ['of another seed', (text) => text, '--seed 2: the state in .* belongs to a world with --seed 1\\.', '--seed=2'],
    ['of another persona', (text) => text, 'world with --persona demo\\.', '--persona=large'],
    [
      'with another name, under which another mock may use it',
      (text, file) => (fs.linkSync(file, path.join(folder, 'linked')), text),
      'has 2 names \\(hard links\\).* Name a copy of it\\.',
    ],
    ['cut off', (text) => text.slice(0, 200), `is not JSON; see line \\d+, column \\d+\\.${kept}`],
    ['of something else', () => '{"name":"package"}', `not a state file of agent-contract: "kind" is not${kept}`],
    ['of a later version', (text) => text.replace('"version": 3', '"version": 4'), `its version is 4, and${kept}`],
  ])('that is %s is refused and left unchanged', async (_, damage, message, flag = '') => {
    const file = newFile();
    await serving(['--state', file], () => {});
    const damaged = damage(fs.readFileSync(file, 'utf8'), file);
    fs.writeFileSync(file, damaged);
    const { stderr, ...ended } = await run(['mock', '--port=0', '--state', file, flag].filter(Boolean));
    expect(stderr).toMatch(new RegExp(message));
    expect({ ...ended, text: fs.readFileSync(file, 'utf8') }).toEqual({ status: 2, stdout: '', text: damaged });
    expect(names(file)).toEqual([path.basename(file)]);
  });

  test('of another running mock is refused, and that mock continues', async () => {
    const file = newFile();
    const link = newFile();
    await servingJson(['--state', file], async (ready) => {
      fs.symlinkSync(file, link);
      for (const name of [file, link]) {
        const { status, stderr } = await run(['mock', '--port', '0', '--state', name]);
        expect(stderr).toMatch(
          new RegExp(`is in use by another mock \\(process ${process.pid} on .*delete .*\\.lock\\.`),
        );
        expect(status).toBe(2);
      }
      await create(ready, 'Still here');
    });
    expect(fs.readFileSync(file, 'utf8')).toContain('Still here');
  });

  test('contains answers of a moment ago without a clean stop: they survive kill -9', async () => {
    const file = newFile();
    const left = newFile();
    let id = '';
    await servingJson(['--state', file], async (ready) => {
      id = await create(ready, 'Kept');
      await saved(file, '"Kept"');
      // What a killed process leaves behind, with a write that was only half done.
      fs.copyFileSync(file, left);
      fs.copyFileSync(`${file}.lock`, `${left}.lock`);
    });
    fs.writeFileSync(`${left}.half`, fs.readFileSync(left).subarray(0, 500));
    // There are no more signs of life.
    fs.utimesSync(`${left}.lock`, 1, 1);
    await servingJson(['--state', left], async (ready) => expect(await statusOf(ready, id)).toBe(200));
  });

  test('the guide says how soon after a change the file is written, which is what kill -9 may lose', () => {
    const guide = fs
      .readFileSync(path.join(__dirname, '../../docs/guides/mock-for-front-ends.md'), 'utf8')
      .replaceAll('\n', ' ');
    expect(guide).toContain(`those of the last ${PAUSE} ms, and those of a write in progress`);
  });

  test('that can no longer be written is reported once, and again when the mock stops', async () => {
    const place = fs.mkdtempSync(path.join(folder, 'gone-'));
    const file = path.join(place, 'state.json');
    const { status, stderr } = await servingJson(['--state', file], async (ready, until) => {
      await create(ready, 'First');
      await saved(file, 'First');
      fs.rmSync(place, { recursive: true });
      await create(ready, 'Second');
      await until(/cannot be written \(ENOENT\)/);
    });
    expect(stderr).toBe(
      `warning: ${file} cannot be written (ENOENT). The data of the mock is not saved.\n` +
        `warning: The unsaved data is lost: ${file}.unsaved cannot be written either (ENOENT).\n`,
    );
    expect(status).toBe(4);
  });

  test('that somebody else changed is not overwritten, and unsaved data is kept beside it', async () => {
    const file = newFile();
    const { status, stderr } = await servingJson(['--state', file], async (ready, until) => {
      await create(ready, 'First');
      fs.writeFileSync(file, 'mine now');
      await create(ready, 'Second');
      await until(/was changed by somebody else\. The mock leaves it as it is/);
    });
    expect(fs.readFileSync(file, 'utf8')).toBe('mine now');
    expect(JSON.stringify(inFile(`${file}.unsaved`))).toMatch(/First.*Second/);
    expect(stderr).toContain(`The unsaved data is in ${file}.unsaved.`);
    expect(status).toBe(4);
  });
});

describe('--watch', () => {
  /** Saves as most editors do: a new file replaces the old one. */
  const replace = (file: string, content: unknown): void => {
    fs.writeFileSync(`${file}~`, typeof content === 'string' ? content : JSON.stringify(content));
    fs.renameSync(`${file}~`, file);
  };

  test('a changed profile file reaches the mock, a broken one does not, and nothing is lost', async () => {
    const file = path.join(folder, 'profile.json');
    replace(file, { 'invalid-status': 'unprocessable-422' });
    const { status } = await servingJson(['--profile', file, '--watch'], async (ready, until) => {
      const invalid = () => statusOf(ready, `${ready.target.agentId}/results?limit=x`);
      const id = await create(ready, 'Kept');
      expect(await invalid()).toBe(422);
      fs.writeFileSync(file, '{"invalid-status":');
      await until(/error: The profile .*profile\.json is not JSON; see line 1, column 19\. The mock keeps what it had/);
      expect(await invalid()).toBe(422);
      replace(file, { 'invalid-status': 'none' });
      await until(/error: --profile: .*profile\.json: The gap "invalid-status" has no choice "none"/);
      replace(file, {});
      await until(/read again: .*profile\.json\n/);
      expect(await invalid()).toBe(400);
      expect(await statusOf(ready, id)).toBe(200);
    });
    expect(status).toBe(0);
  });

  test('a changed seed file replaces what is below the written data', async () => {
    const file = path.join(folder, 'seed.json');
    const agents = (id: string): object => ({ agents: [{ id, name: 'Mine' }] });
    replace(file, agents('one'));
    await servingJson(['--seed-file', file, '--watch'], async (ready, until) => {
      const id = await create(ready, 'Kept');
      replace(file, agents('two'));
      await until(/read again: .*seed\.json\n/);
      expect(await Promise.all(['one', 'two', id].map((one) => statusOf(ready, one)))).toEqual([404, 200, 200]);
    });
  });

  test('a state file that somebody else changes is loaded, even with another world, and then written again', async () => {
    const file = newFile();
    const other = newFile();
    let before = '';
    await servingJson(['--state', other, '--seed', '7'], async (ready) => {
      before = await create(ready, 'Of the other');
    });
    await servingJson(['--state', file, '--watch'], async (ready, until) => {
      replace(file, fs.readFileSync(other, 'utf8'));
      await until(/read again: .*state/);
      expect(await statusOf(ready, before)).toBe(200);
      const target = (await (await fetch(`${ready.url}/__admin/target`)).json()) as Ready['target'];
      await create({ ...ready, target }, 'Afterwards');
    });
    expect(inFile(file).seed).toBe(7);
    expect(fs.readFileSync(file, 'utf8')).toMatch(/Of the other[^]*Afterwards/);
  });

  test('a state file that somebody else breaks is left alone until it is fixed', async () => {
    const file = newFile();
    const { status, stderr } = await servingJson(['--state', file, '--watch'], async (ready, until) => {
      const id = await create(ready, 'Kept');
      await saved(file, 'Kept');
      const good = fs.readFileSync(file, 'utf8');
      replace(file, '{');
      await until(/error: The state file .* is not JSON.* The mock keeps what it had\.\n/);
      const late = await create(ready, 'Written meanwhile');
      await until(/was changed by somebody else/);
      expect(fs.readFileSync(file, 'utf8')).toBe('{');
      replace(file, good.replace('Kept', 'Mended'));
      await until(/read again: .*state/);
      expect([await statusOf(ready, id), await statusOf(ready, late)]).toEqual([200, 404]);
      expect(await create(ready, 'Afterwards')).not.toBe('');
    });
    expect(fs.readFileSync(file, 'utf8')).toMatch(/Mended[^]*Afterwards/);
    expect(stderr.match(/error:/g)).toHaveLength(1);
    expect(status).toBe(0);
  });

  test('the mock does not read again what it writes itself', async () => {
    const file = newFile();
    const profile = path.join(folder, 'unchanged.json');
    fs.writeFileSync(profile, '{}');
    const { stderr } = await servingJson(['--state', file, '--profile', profile, '--watch'], async (ready, until) => {
      await create(ready, 'One');
      // When this change is noticed, the previous one has been too.
      fs.writeFileSync(profile, '{"invalid-status":"unprocessable-422"}');
      await until(/read again/);
    });
    expect(stderr).toBe(`read again: ${profile}\n`);
  });
});
