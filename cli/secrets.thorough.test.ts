import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { served, serverOf } from '../http/testing/test-server.ts';
import { reportFormats } from '../conformance/reporters/index.ts';
import { createMock, type Mock } from '../mock/index.ts';
import { temporaryFolder, testFolder } from './testing/test-io.ts';
import { servingIn } from './testing/test-mock.ts';
import written from './testing/written-token.json';

// A server repeats the token of its caller in every position of a message, in every encoding. No output may show it.

const { folder, run } = testFolder();
const elsewhere = temporaryFolder();
const { token: TOKEN } = written;
const bytes = Buffer.from(TOKEN);
/** A password of an agent, which every answer holds, and what a gateway adds. */
const NAMED = 'hunter2-swordfish';

/** How a server may write the token. */
const encodings: Readonly<Record<string, string>> = written.encodings;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly sent: string;
}
interface Message {
  status: number;
  reason?: string;
  headers: Record<string, string>;
  body: Buffer;
}
/** A text as a member of the object that an answer holds. */
const member =
  (name: string) =>
  (message: Message, text: string): void => {
    const json = JSON.parse(message.body.toString()) as Record<string, unknown>;
    const [held = 'x'] = Object.keys(json);
    const inner = typeof json[held] === 'object' && !Array.isArray(json[held]) ? (json[held] as object) : {};
    message.body = Buffer.from(
      JSON.stringify({
        ...json,
        [held]: Array.isArray(json[held]) ? json[held] : { ...inner, [name]: text },
        [name]: text,
      }),
    );
  };
const header =
  (name: string) =>
  (message: Message, text: string): void => {
    message.headers[name] = text;
  };
const whole =
  (write: (text: string, body: Buffer) => string | Buffer, status?: number) =>
  (message: Message, text: string): void => {
    message.body = Buffer.from(write(text, message.body) as string);
    message.status = status ?? message.status;
  };

/** Where a server may write it. */
const positions: Readonly<Record<string, (message: Message, text: string) => void>> = {
  'the reason of the status': (message, text) => void (message.reason = text),
  'the name of a header': (message, text) => header(`x-${text.replaceAll(/[^\w~+-]/g, '') || 'x'}`)(message, text),
  'a header': header('x-echo'),
  'the type': header('content-type'),
  'a parameter of the type': (message, text) => header('content-type')(message, `application/json; x="${text}"`),
  'a redirect': (message, text) => {
    message.status = 302;
    header('location')(message, `/a?b=${text}`);
  },
  'a cookie': (message, text) => header('set-cookie')(message, `a=${text}`),
  'a challenge': (message, text) => header('www-authenticate')(message, `Bearer realm="${text}"`),
  'a time to wait': header('retry-after'),
  'the id': member('id'),
  'a cursor': member('nextCursor'),
  'the access': member('currentUserMode'),
  'an instant': member('createdAt'),
  'the version': member('version'),
  'the name of a member': (message, text) => member(text)(message, 'x'),
  'the whole body': whole((text) => text),
  'a refusal': whole((text) => JSON.stringify({ message: text }), 403),
  'an error page': whole((text) => `<html><p>${text}</p></html>`, 500),
  'a body with a byte order mark': whole((text, body) => `\ufeff{"x":${JSON.stringify(text)},"y":${body.toString()}}`),
  'a body that is no text': whole((text) => Buffer.concat([Buffer.from([0xff, 0xfe, 0xff]), Buffer.from(text)])),
  'a body that breaks off': whole((text) => `{"x":${JSON.stringify(text)},"y`),
};

const pairs = Object.keys(positions).flatMap((position) =>
  Object.keys(encodings).map((encoding) => ({ position, encoding })),
);
/** Has no common divisor with the number of pairs, so that neighbours differ in both. */
const STRIDE = 17;

/** A mock behind a server that writes the token into each answer: in another position, in another encoding. */
async function echoing() {
  const mock = createMock({ seed: 1, tokens: { [TOKEN]: 'write' } });
  const raw: { request: Sent; message: Message }[] = [];
  const met = new Set<number>();
  let count = 0;
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const sent = await buffer(request);
    const { method = 'GET', url = '/' } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const got = await mock.fetch(`http://mock.test${url}`, {
      method,
      headers,
      ...(sent.length > 0 ? { body: sent } : {}),
    });
    const message: Message = {
      status: got.status,
      headers: { 'content-type': got.headers.get('content-type') ?? '', 'x-ms-token-aad-id-token': NAMED },
      body: Buffer.from((await got.text()).replace('{', `{"settings":{"security":{"password":"${NAMED}"}},`)),
    };
    // What answers HEAD has no body, and holds nothing.
    if (message.body.length > 0) {
      const index = (count++ * STRIDE) % pairs.length;
      const { position = '', encoding = '' } = pairs[index] ?? {};
      positions[position]?.(message, encodings[encoding] ?? '');
      met.add(index);
    }
    raw.push({
      request: { method, url: `http://x.test${url}`, headers: request.rawHeaders, sent: String(sent) },
      message,
    });
    response.writeHead(message.status, message.reason, message.headers).end(message.body);
  };
  const { url } = await serverOf((request, response) => void answer(request, response));
  return { mock, url, raw, met };
}

/** The forms of the token that a text still has when all escapes in it are undone. */
function leaksIn(text: string): readonly string[] {
  const all: string[] = [];
  // Each time it becomes shorter, or is as it was.
  for (let read = text, before = ''; read !== before;) {
    all.push(read.toLowerCase().replaceAll('\\', ''));
    before = read;
    read = read
      .replaceAll(
        /%([\da-f]{2})|\\+u00([\da-f]{2})|\\+x([\da-f]{2})|&(?:amp;)*#x([\da-f]{2});/gi,
        (_, ...of: string[]) => String.fromCharCode(Number.parseInt(of.slice(0, 4).find(Boolean) ?? '', 16)),
      )
      .replaceAll(/&(?:amp;)*#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)));
  }
  const hidden = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(shift + 1, -2)
      .toLowerCase(),
  );
  const needles = [
    TOKEN.toLowerCase(),
    bytes.toString('hex'),
    ...hidden,
    ...hidden.map((one) => one.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return needles.filter((needle) => all.some((one) => one.includes(needle)));
}

function har(raw: Awaited<ReturnType<typeof echoing>>['raw']): string {
  const named = (list: readonly string[]): object[] =>
    list.flatMap((name, i) => (i % 2 === 0 ? [{ name, value: list[i + 1] }] : []));
  const entries = raw.map(({ request: { sent: text, ...request }, message }, i) => {
    const { status, reason: statusText, headers, body } = message;
    const content = { size: body.length, text: body.toString('base64'), encoding: 'base64' };
    return {
      startedDateTime: new Date(Date.UTC(2026, 4, 20) + i * 100).toISOString(),
      time: 10,
      request: { ...request, headers: named(request.headers), postData: text === '' ? undefined : { text } },
      response: { status, statusText, headers: named(Object.entries(headers).flat()), content },
    };
  });
  return JSON.stringify({ log: { entries } });
}

const outputs: Record<string, string> = {};

/** Runs a command, and keeps what it prints. */
async function tried(name: string, argv: readonly string[]): Promise<void> {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(folder, `${name}.summary`) };
  const { stdout, stderr } = await run(argv, { env });
  Object.assign(outputs, { [`${name} stdout`]: stdout, [`${name} stderr`]: stderr });
}

const reports = (name: string): string[] => [
  ...Object.keys(reportFormats).flatMap((format) => ['--report', `${format}=${name}.${format}`]),
  '--write-baseline',
  `${name}.baseline`,
  '--include-bodies',
];
const idsOf = ({ target: { agentId, workspaceId, publishedAgentId } }: Mock): string[] =>
  `--agent-id ${agentId} --workspace-id ${workspaceId} --published-agent-id ${publishedAgentId}`.split(' ');

test('no output of a run shows a token that a server repeats, nor does its recording', async () => {
  const server = await echoing();
  const argv = [server.url, '--token', TOKEN, ...idsOf(server.mock), '--timeout', '5000'];
  // The second run goes on with the positions and encodings that the first did not meet.
  for (const name of ['check', 'again'])
    await tried(name, ['check', ...argv, '--record', `${name}.har`, '--skip', '4.5', ...reports(name)]);
  expect(server.met.size).toBe(pairs.length);
  await tried('doctor', ['doctor', ...argv]);
  await tried('replay', ['replay', 'check.json', '1', '--base-url', ...argv]);
  await tried('drift', ['drift', 'check.json', ...argv, '--skip', '4.5', '--json']);
  await tried('judge-own', ['judge', 'check.har', ...reports('judge-own')]);
  await tried('diff', ['diff', 'check.json', 'again.json']);
  await tried('diff-json', ['diff', 'again.json', 'check.json', '--json']);
  const { count, leaks } = leaking();
  expect(leaks).toEqual([]);
  expect(count).toBeGreaterThan(50);
}, 180_000);

test('no output on traffic shows a token that a server repeats: not of proxy, judge or seed', async () => {
  const server = await echoing();
  const { agentId } = server.mock.target;
  const flags = ['--record', 'proxy.har', '--errors', '--operate', '127.0.0.1:0', '--json', ...reports('proxy')];
  const proxied = await servingIn(folder, 'proxy')([server.url, ...flags], async (printed) => {
    const [url = '', operated = ''] = [/proxy on (\S+),/, /for operators: (\S+)/].map((at) => at.exec(printed)?.[1]);
    for (const [i] of pairs.entries())
      outputs['answers of the proxy itself'] += await fetch(
        `${url}/api/v1/agents/${agentId}${i % 2 === 0 ? '' : '/results?limit=2'}`,
        { headers: { authorization: `Bearer ${TOKEN}` }, redirect: 'manual' },
      ).then(
        async (answer) => answer.headers.get('sl-violations') ?? (answer.status === 502 ? answer.text() : ''),
        () => '',
      );
    outputs['metrics'] = await (await fetch(`${operated}/metrics`)).text();
  });
  Object.assign(outputs, { 'proxy stdout': proxied.stdout, 'proxy stderr': proxied.stderr });
  expect(server.met.size).toBe(pairs.length);

  writeFileSync(path.join(elsewhere, 'foreign.har'), har(server.raw));
  await tried('judge', ['judge', path.join(elsewhere, 'foreign.har'), ...reports('judge')]);
  await tried('judge-proxied', ['judge', 'proxy.har', ...reports('judge-proxied')]);
  await tried('seed', ['seed', path.join(elsewhere, 'foreign.har'), '--output', 'seed.json']);
  expect(leaking().leaks).toEqual([]);
}, 180_000);

test('no page of a mock shows the token of a request, wherever its caller wrote it', async () => {
  const mock = createMock({ seed: 1, tokens: { [TOKEN]: 'write' } });
  const server = await served(mock);
  const authorization = `Bearer ${TOKEN}`;
  const texts = [TOKEN, encodeURIComponent(TOKEN), encodeURIComponent(encodeURIComponent(TOKEN))];
  for (const text of texts)
    for (const target of [`/agents/${text}`, `/agents?key=${text}`, `/agents/a/results?cursor=${text}`, `/${text}`]) {
      const isSent = target.startsWith('/agents?');
      await fetch(`${server.url}/api/v1${target}`, {
        method: isSent ? 'POST' : 'GET',
        headers: { authorization, 'x-echo': text, cookie: `a=${text}`, 'content-type': `a/b;c=${text}` },
        body: isSent ? JSON.stringify({ workspaceId: text, [text]: JSON.stringify(text) }) : null,
      });
    }
  const requests = ['', '/2', '/unmatched/near-misses'].map((rest) => `__admin/requests${rest}`);
  const pages = ['', 'dashboard', ...requests, '__admin/metrics'];
  for (const page of pages) outputs[`mock ${page}`] = await (await fetch(`${server.url}/${page}`)).text();
  const entries = mock.journal.entries();
  const copies = entries.map(({ id }) => mock.journal.reproduction(id));
  outputs['mock, copies'] = copies.map((copy) => `${copy?.curl}\n${copy?.test}`).join('\n');
  expect(entries.length).toBeGreaterThan(11);
  expect(leaking().leaks).toEqual([]);
});

/** What is wrong with all outputs so far, and files, and how many they are. */
function leaking(): { readonly count: number; readonly leaks: readonly string[] } {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) outputs[path.relative(folder, file)] = readFileSync(file, 'utf8');
  }
  const leaks = Object.entries(outputs).flatMap(([name, text]) => {
    // The redactor replaces secrets; the guard after it says if it has missed one.
    const bugs = new RegExp(`bug in agent-contract|withheld|${NAMED}`).exec(text) ?? [];
    return [...leaksIn(text), ...bugs].map((leak) => `${name}: ${leak}`);
  });
  return { count: Object.keys(outputs).length, leaks };
}
