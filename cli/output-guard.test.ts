import { createCanary } from '../conformance/http/canary.ts';
import { guardOutput } from './output-guard.ts';

const canary = createCanary();

test('a secret never reaches an output, and the message calls it our mistake', () => {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (text: string): void => void (written[name] += text) });
  const { io, clean, hasLeaked } = guardOutput(
    { argv: [], env: {}, cwd: '/', stdout: output('stdout'), stderr: output('stderr') },
    [canary],
  );
  io.stdout.write('nothing in here\n');
  expect([clean('nor here'), hasLeaked()]).toEqual(['nor here', false]);
  io.stdout.write(`it is ${canary.value}\n`);
  // In parts, so that the redactor does not recognise it.
  const apart = Array.from(canary.value, (c) => `&#${c.charCodeAt(0)};`)
    .join('')
    .replaceAll('&', '%26');
  expect(clean(`it is ${canary.value}`)).toBe('it is $CANARY');
  expect(clean(`it is ${apart}`)).not.toContain(apart);
  expect(hasLeaked()).toBe(true);
  expect(written.stdout).toBe('nothing in here\nit is $CANARY\n');
  expect(written.stderr).toMatch(/^error: .* bug in agent-contract/);
});
