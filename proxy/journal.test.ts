import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checks } from '../conformance/checks/index.ts';
import { createForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import { openJournal as open } from './journal.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const exchange = (name: string) => ({
  request: {
    method: 'GET',
    url: `https://x.test/api/v1/agents/${name}`,
    headers: { authorization: 'Bearer secret-1' },
  },
  answer: { status: 404, headers: {}, body: Buffer.from('{"a":"line\\n{"}') },
  sentAt: 1,
  answeredAt: 2,
  hasAllHeaders: true,
});
const place = { n: 2, begun: 1 };
const secrets = [{ value: 'secret-1', placeholder: '$TOKEN' }];
const failures: string[] = [];
const openJournal = (options: Parameters<typeof open>[0], hidden: Parameters<typeof open>[1]) =>
  open(options, hidden, (why) => void failures.push(why));
const limits = { mostBytes: 1e9, keep: 2 };
const named = (text: string): readonly string[] => Array.from(text.matchAll(/agents\/(\w+)/g), ([, name = '']) => name);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe.each(['traffic.har', 'traffic.har.gz'])('%s', (name) => {
  const file = path.join(folder, name);
  const read = (n = 0): string => {
    const bytes = readFileSync(n === 0 ? file : file.replace('.har', `.${n}.har`));
    return String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  };

  test('holds each exchange soon, without secrets, and an end at the end', () => {
    const journal = openJournal({ file, ...limits }, secrets);
    journal.add(exchange('one'), place);
    jest.advanceTimersByTime(500);
    expect([named(read()), read().includes('secret-1')]).toEqual([['one'], false]);
    journal.add(exchange('two'), place);
    journal.end();
    const { log } = JSON.parse(read()) as { log: { entries: object[] } };
    expect(log.entries).toHaveLength(2);
  });

  test('is put aside when it is full, and when a proxy starts; the oldest go', () => {
    const journal = openJournal({ file, ...limits, mostBytes: 1 }, []);
    for (const one of ['three', 'four', 'five']) {
      journal.add(exchange(one), place);
      jest.advanceTimersByTime(500);
    }
    journal.add(exchange('six'), place);
    journal.end();
    openJournal({ file, ...limits }, []);
    expect(existsSync(file)).toBe(false);
    for (const n of [1, 2]) JSON.parse(read(n));
    expect([named(read(1)), named(read(2)), existsSync(file.replace('.har', '.3.har'))]).toEqual([
      ['five', 'six'],
      ['three', 'four'],
      false,
    ]);
  });

  test.each<[string, number, (bytes: Buffer) => Buffer]>([
    ['is whole, but has no end', 2, (bytes) => bytes],
    ['is cut', 1, (bytes) => bytes.subarray(0, -20)],
  ])('is judged first by the next proxy if it %s', async (_, count, cut) => {
    const killed = openJournal({ file, ...limits }, []);
    for (const one of ['seven', 'eight']) {
      killed.add(exchange(one), place);
      jest.advanceTimersByTime(500);
    }
    writeFileSync(file, cut(readFileSync(file)));
    jest.useRealTimers();
    const judge = createForeignJudge({ checks, strict: false, secrets: [] });
    const said = await openJournal({ file, ...limits }, []).continueFrom(judge);
    expect([judge.seen.count, said?.includes('.1.har')]).toEqual([count, true]);
    const ended = openJournal({ file, ...limits }, []);
    ended.add(exchange('nine'), place);
    ended.end();
    expect(await openJournal({ file, ...limits }, []).continueFrom(judge)).toBeUndefined();
  });
});

test('says once that nothing can be written, and goes on', () => {
  const gone = path.join(folder, 'gone');
  mkdirSync(gone);
  const journal = openJournal({ file: path.join(gone, 'traffic.har'), ...limits }, []);
  journal.add(exchange('one'), place);
  rmSync(gone, { recursive: true });
  jest.advanceTimersByTime(500);
  journal.add(exchange('two'), place);
  journal.end();
  expect(failures).toEqual([expect.stringContaining('ENOENT')]);
});

test('a recording that is no file is written as it is', () => {
  const journal = openJournal({ file: '/dev/null', ...limits }, []);
  journal.add(exchange('one'), place);
  journal.end();
  expect(existsSync('/dev/null.1')).toBe(false);
});
