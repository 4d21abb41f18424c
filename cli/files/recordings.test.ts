import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { readRecording, type RecordingSource } from '../../conformance/recording/read-recording.ts';
import type { Io } from '../io.ts';
import { temporaryFolder } from '../testing/test-io.ts';
import { readRecordings } from './recordings.ts';

const folder = temporaryFolder();
const io = { cwd: folder, stderr: { write: () => undefined } } as unknown as Io;

const entry = (id: string, content: object = { text: '{}', size: 2 }): object => ({
  startedDateTime: '2026-05-20T12:00:00.000Z',
  time: 12,
  request: { method: 'GET', url: `https://x.test/api/v1/agents/${id}`, headers: [] },
  response: { status: 200, headers: [], content },
});
const har = (...entries: readonly object[]): string => JSON.stringify({ log: { entries } });

/** Writes a file into the folder of the test, and the folders around it. */
function put(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return name;
}

/** A zip file with these files, each of them packed. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const number = (value: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntLE(value, 0, bytes);
    return buffer;
  };
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const sizes = [crc32(text), packed.length, Buffer.byteLength(text)].map((value) => number(value, 4));
    const head = [
      number(20, 2),
      number(0, 2),
      number(8, 2),
      number(0, 4),
      ...sizes,
      number(name.length, 2),
      number(0, 2),
    ];
    const at = local.reduce((sum, { length }) => sum + length, 0);
    local.push(Buffer.concat([Buffer.from('PK\x03\x04'), ...head, Buffer.from(name), packed]));
    const rest = [Buffer.alloc(10), number(at, 4), Buffer.from(name)];
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), number(20, 2), ...head, ...rest]));
  }
  const count = number(central.length, 2);
  const [files_, directory] = [Buffer.concat(local), Buffer.concat(central)];
  const end = [number(0, 4), count, count, number(directory.length, 4), number(files_.length, 4), number(0, 2)];
  return Buffer.concat([files_, directory, Buffer.from('PK\x05\x06'), ...end]);
}

/** For each recording, the agents and the bodies of its exchanges. */
async function read(names: readonly string[], isJoined = false): Promise<readonly (readonly string[])[]> {
  const all: string[][] = [];
  const one = async (source: RecordingSource): Promise<boolean> => {
    const shown: string[] = [];
    all.push(shown);
    const reading = readRecording(source);
    for (;;) {
      const { done, value } = await reading.next();
      if (done === true) return value;
      if (value.kind !== 'exchange') continue;
      const { request, answer } = value.entry.exchange;
      shown.push(`${path.basename(request.url)} ${Buffer.from(answer?.body ?? []).toString()}`);
    }
  };
  const readAll = async (sources: readonly RecordingSource[]): Promise<boolean[]> => {
    const areWhole: boolean[] = [];
    for (const source of sources) areWhole.push(await one(source));
    return areWhole;
  };
  await readRecordings(io, names, readAll, isJoined);
  return all;
}

const snapshot = entry('t', { size: 1, _sha1: 'x.json' });
const trace = JSON.stringify({ type: 'resource-snapshot', snapshot });
const attached = entry('a', { size: 7, _file: 'body.json' });
const elsewhere = (file: string): object => entry('a', { size: 7, _file: file });

test.each<[string, () => string[], readonly (readonly string[])[]]>([
  ['a file, named twice', () => [put('a.har', har(entry('a'))), './a.har'], [['a {}']]],
  ['a body beside its file', () => (put('body.json', '{"b":1}'), [put('b.har', har(attached))]), [['a {"b":1}']]],
  [
    'a zip file',
    () => [put('c.har.zip', zipOf({ 'har.har': har(attached), 'body.json': '{"c":1}' }))],
    [['a {"c":1}']],
  ],
  [
    'a trace',
    () => [
      put('trace.zip', zipOf({ 'trace.trace': '{"type":"before"}', 'trace.network': trace, 'resources/x.json': '1' })),
    ],
    [['t 1']],
  ],
  [
    'a folder',
    () => (put('f/2/b.har', har(entry('2'))), put('f/1.har', har(entry('1'))), put('f/report.json', '{}'), ['f']),
    [['1 {}'], ['2 {}']],
  ],
  ['a body outside of the folder', () => [put('g/g.har', har(elsewhere('../body.json')))], [['a ']]],
  ['a body that is not there', () => [put('h.har', har(elsewhere('none.json')))], [['a ']]],
])('reads %s', async (_, names, expected) => {
  expect(await read(names())).toEqual(expected);
});

test('several may be read as one', async () => {
  const groups: number[] = [];
  const names = ['j', 'k'].map((id) => put(`${id}.har`, har(entry(id))));
  for (const isJoined of [false, true])
    await readRecordings(
      io,
      names,
      (sources) => Promise.resolve((groups.push(sources.length), sources.map(() => true))),
      isJoined,
    );
  expect(groups).toEqual([1, 1, 2]);
});

test.each<[string, () => string, RegExp]>([
  ['is not there', () => 'none.har', /There is no file .*none\.har/],
  ['is a folder without recordings', () => (put('e/page.html', ''), 'e'), /a folder without a recording.*\.flow/],
  ['is no recording', () => put('n.har', '<html>'), /n\.har is not a recording that can be read: it is a web page/],
  ['is a broken zip file', () => put('z.zip', 'PK\x03\x04'), /z\.zip is a zip file, but .*: \w+/i],
  ['is another zip file', () => put('y.zip', zipOf({ 'a.txt': 'a' })), /no file in it ends in \.har/],
  ['is of Fiddler', () => put('x.saz', zipOf({ 'raw/1_c.txt': 'GET' })), /Fiddler: choose File, Export/],
])('says what to do if a file %s', async (_, name, message) => {
  await expect(read([name()])).rejects.toThrow(message);
});
