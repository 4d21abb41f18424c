import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../testing/test-io.ts';
import { createRecorder } from './recorder.ts';

const file = path.join(temporaryFolder(), 'traffic.har');
const exchange = (name: string) => ({
  request: { method: 'GET', url: `https://x.test/${name}`, headers: {} },
  answer: { status: 200, headers: {}, body: Buffer.from('{"a":"line\\n{"}') },
  sentAt: 1,
  answeredAt: 2,
  hasAllHeaders: true,
});
const place = { n: 2, begun: 1 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The names in a recording of two exchanges whose program was killed, cut there, and continued with a third one. */
function continued(cut: (text: string) => string): readonly string[] {
  writeFileSync(file, '');
  const killed = createRecorder(file, [], { isLive: true });
  for (const name of ['one', 'two']) killed.add(exchange(name), place);
  jest.advanceTimersByTime(500);
  writeFileSync(file, cut(readFileSync(file, 'utf8')));
  const next = createRecorder(file, [], { isLive: true });
  next.add(exchange('three'), place);
  next.end();
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: { request: { url: string } }[] } };
  return log.entries.map(({ request }) => path.basename(request.url));
}

test.each<[string, readonly string[], (text: string) => string]>([
  ['is not cut', ['one', 'two', 'three'], (text) => text],
  ['is cut within its last entry', ['one', 'three'], (text) => text.slice(0, -20)],
  ['is cut after a comma', ['one', 'three'], (text) => text.slice(0, text.lastIndexOf('\n{'))],
  ['is cut within its only entry', ['three'], (text) => text.slice(0, text.indexOf('"startedDateTime"'))],
  ['is cut within its head', ['three'], (text) => text.slice(0, 20)],
  ['has an end', ['three'], (text) => `${text}\n]}}\n`],
  ['is not ours', ['three'], () => '{"log":{"entries":[\n{}'],
])('a recording that %s is continued with what it holds, or replaced', (_, expected, cut) => {
  expect(continued(cut)).toEqual(expected);
});
