import { SOURCE } from '../../http/headers.ts';
import { bytesOf, utf8Of, toCurl, type Text } from '../../text/curl.ts';
import { parseJson, type Json } from '../../text/json.ts';
import { toSource } from '../../text/javascript.ts';
import { platform } from '../../text/platform.ts';
import { withoutPasswords } from '../../text/secret-names.ts';
import { profileNameOf } from '../profiles/index.ts';
import incidental from './incidental-headers.json';
import { hiderOf, tokensOf, withoutSecrets, type MockExchange } from './journal-entry.ts';

/** How to repeat a request; `null` if the mock read only a part of it, or if the tool cannot send it. */
export interface Reproduction {
  /** A command for a POSIX-like shell, with `$BASE_URL`, `$TOKEN` and `$SECRET` as variables. */
  readonly curl: string | null;
  /**
   * A file with a test for Jest, or Vitest with globals, that repeats what clients wrote before and expects the same answer
   * of a fresh mock. Data of your own is not in it. `null` also for an answer of the upstream.
   */
  readonly test: string | null;
}

/** Headers that belong to the connection, or say nothing about the intent; bodies are stored before content encoding. */
const INCIDENTAL: ReadonlySet<string> = new Set(incidental);

const EXPECTS_BREAK = '  await expect(answer).rejects.toThrow();';

const UNFETCHABLE = new Set(['CONNECT', 'TRACE', 'TRACK']);

const TOKEN = { variable: '$TOKEN' };
const SECRET = { variable: '$SECRET' };

type Origin = Partial<Pick<MockExchange, 'endpoint' | 'at' | 'plan' | 'under'>>;

type Reproducible = Origin &
  Pick<MockExchange, 'request'> & {
    readonly wire: Pick<MockExchange['wire'], 'status' | 'delivery' | 'body'> &
      Partial<Pick<MockExchange['wire'], 'headers'>>;
  };

/** `earlier` are the exchanges of its session before it, oldest first. */
export function reproduce(whole: Reproducible, earlier: readonly Reproducible[] = []): Reproduction {
  const exchange = withoutBodyPasswords(whole);
  const { method, target, headers, body, oversize } = exchange.request;
  if (oversize === true) return { curl: null, test: null };
  const secrets = tokensOf(headers).map((value) => ({ value }));
  const request = { method, url: target, headers: Object.fromEntries(sent(headers)), body };
  const writes = earlier.filter(({ request: { method: written }, wire }) => written === 'POST' && wire.status < 300);
  const test = testOf(exchange, writes.map(withoutBodyPasswords));
  return { curl: toCurl(request, { base: { variable: '$BASE_URL' }, secrets }), test };
}

function withoutBodyPasswords(exchange: Reproducible): Reproducible {
  const { request } = exchange;
  const text = request.body && utf8Of(bytesOf(request.body));
  if (text === undefined) return exchange;
  return { ...exchange, request: { ...request, body: new platform.TextEncoder().encode(withoutPasswords(text)) } };
}

function sent(headers: MockExchange['request']['headers']): readonly (readonly [name: string, value: Text])[] {
  return withoutSecrets(headers, TOKEN, SECRET).filter(([name]) => !INCIDENTAL.has(name));
}

function testOf(exchange: Reproducible, writes: readonly Reproducible[]): string | null {
  const { request, wire, ...from } = exchange;
  // A fresh mock has no upstream.
  if (![exchange, ...writes].every(isFetchable) || wire.headers?.[SOURCE] === 'upstream') return null;
  const { method, target } = request;
  const source = sourceFor(exchange);
  const call = callSource(exchange);
  const connection = wire.delivery?.connection;
  const [path = ''] = target.split('?');
  const title = toSource(`${method} ${hiderOf(request.headers)(path)} answers ${connection ?? wire.status}`);
  // A broken answer may still have sent a part.
  const broken = [`  const answer = ${call}.then((response) => response.text());`, EXPECTS_BREAK];
  const whole = [`  const response = await ${call};`, ...expectations(method, wire, source)];
  const [mock = '', ...set] = mockSource(from, wire.status);
  return [
    'import { createMock } from "agent-contract/mock";',
    '',
    `test(${title}, async () => {`,
    mock,
    // The ids of a mock depend on what was created before.
    ...writes.map((write) => `  await ${callSource(write)};`),
    ...set,
    ...(connection === undefined ? whole : broken),
    '});',
    '',
  ].join('\n');
}

function isFetchable({ request: { method, target, headers, body, oversize } }: Reproducible): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  if (oversize === true || UNFETCHABLE.has(method) || !target.startsWith('/') || (isRead && body !== undefined))
    return false;
  // A token that a URL escapes has no variable in the test.
  const tokens = tokensOf(headers);
  return tokens.every((token) => token === tokens.at(-1) || !target.includes(token));
}

function callSource({ request, under }: Reproducible): string {
  const { method, target, body } = request;
  const source = sourceFor({ request, under });
  const { variable: token } = secretOf({ request, under });
  const headers = sent(request.headers)
    .filter(([name]) => name !== 'x-mock-session')
    .map(([name, text]) => `      ${source(name)}: ${textSource(text, source, token)},`);
  const lines = [`mock.fetch(${source(target)}, {`, `    method: ${source(method)},`];
  if (headers.length > 0) lines.push('    headers: {', ...headers, '    },');
  if (body !== undefined) lines.push(`    body: ${bodySource(request, body, source)},`);
  return [...lines, '  })'].join('\n');
}

/** Writes values as JavaScript, with a variable in place of the token of the request. */
function sourceFor(exchange: Pick<Reproducible, 'request' | 'under'>): Source {
  const secret = secretOf(exchange);
  return (one, indent = '') => toSource(one, secret, indent);
}

type Source = (value: unknown, indent?: string) => string;

/** The token of a request, and what stands for it in a test. */
function secretOf({ request, under }: Pick<Reproducible, 'request' | 'under'>) {
  const value = tokensOf(request.headers).at(-1) ?? '';
  const names = { write: 'mock.target.token', read: 'mock.target.readToken', guest: 'mock.target.guestToken' };
  const mode = under ? under.tokens.get(value) : 'write';
  if (mode === undefined) return { value, variable: '"unknown-token"' };
  return { value, variable: names[mode] };
}

const USUAL = new Map(Object.entries({ persona: '"demo"', profile: '"default"', faults: '[]' }));

/** Makes a mock like the one that answered, as it was then; it has not what clients wrote. */
function mockSource({ endpoint, at, plan, under }: Origin, status: number): readonly string[] {
  if (!under) return ['  const mock = createMock();'];
  const { seed, persona, anchor, faults } = under;
  const profile = profileNameOf(under.profile) ?? under.profile;
  const options = Object.entries({ seed, persona, now: anchor, frozen: true, profile, faults });
  const needed = options.filter(([name, value]) => JSON.stringify(value) !== USUAL.get(name));
  const lines = [`  const mock = createMock(${toSource(Object.fromEntries(needed), undefined, '  ')});`];
  if (at !== undefined && at !== anchor) lines.push(`  mock.clock.set(${at});`);
  // A fresh mock has counted no requests, and a test need not wait.
  const { times: _times, delay: _delay, ...step } = status === 429 ? { code: 429 } : (under.step ?? {});
  if (!endpoint || Object.keys(step).length === 0) return lines;
  if (plan === 'standing') return [...lines, `  mock.standing.set("${endpoint}", ${toSource(step, undefined, '  ')});`];
  return [...lines, `  mock.plans.add(${toSource({ on: endpoint, steps: [step] }, undefined, '  ')});`];
}

function textSource(text: Text, source: Source, token: string): string {
  const written = [text].flat().map((part) => {
    if (part === TOKEN) return token;
    if (part === SECRET) return '"$SECRET"';
    return source(part);
  });
  return written.join(' + ');
}

function bodySource({ headers }: MockExchange['request'], body: Uint8Array, source: Source): string {
  const bytes = bytesOf(body);
  const text = utf8Of(bytes);
  if (text === undefined) return `Uint8Array.from(atob(${source(btoa(bytes))}), (byte) => byte.charCodeAt(0))`;
  const value = parseJson(text);
  if (value !== undefined && JSON.stringify(value) === text) return `JSON.stringify(${source(value, '    ')})`;
  // With a text alone, `fetch` adds a content type.
  if (headers['content-type'] === undefined) return `new Blob([${source(text)}])`;
  return source(text);
}

function expectations(method: string, { status, body }: Reproducible['wire'], source: Source): readonly string[] {
  const lines = [`  expect(response.status).toBe(${status});`];
  // The mock words a refusal by the limit otherwise than one by a plan.
  if (method === 'HEAD' || body === '' || [204, 205, 304, 429].includes(status)) return lines;
  try {
    const value = essential(JSON.parse(withoutPasswords(body)) as Json, status === 201 ? OF_CREATION : OF_PAGES);
    const matcher = typeof value === 'object' && value !== null ? 'toMatchObject' : 'toEqual';
    return [...lines, `  expect(await response.json()).${matcher}(${source(value, '  ')});`];
  } catch {
    return [...lines, `  expect(await response.text()).toBe(${source(body)});`];
  }
}

const OF_PAGES = new Set(['nextCursor']);
const OF_CREATION = new Set(['id', 'publicId', 'createdAt', 'updatedAt', 'billingId', 'billingConnectId']);

/** A part of an answer that a test can rely on: without some members and passwords. Lists of resources are told by ids. */
function essential(value: Json, without: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => idOf(item, without) ?? essential(item, without));
  if (typeof value !== 'object' || value === null) return value;
  // A copied test neither sends nor expects a real password.
  const isPassword = (name: string): boolean => {
    const text = JSON.stringify({ [name]: 1 });
    return withoutPasswords(text) !== text;
  };
  const kept = Object.entries(value).filter(([name]) => !without.has(name) && !isPassword(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, essential(member, without)]));
}

function idOf(item: Json, without: ReadonlySet<string>): Json | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item) || without.has('id')) return undefined;
  return { id: item['id'] };
}
