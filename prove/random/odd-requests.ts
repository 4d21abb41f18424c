import { adminRoutes } from '../../mock/admin/index.ts';
import { endpointIds, endpoints } from '../../spec/index.ts';
import odd from './odd.json';
import type { Random } from './random.ts';

/** A request as bytes, one character each. */
export interface OddRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** Servers refuse longer ones before anybody reads them. */
const LONGEST_TARGET = 12_000;

const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Percent-encoded, even with lone surrogates, as some programs do it. */
const encoded = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd800 || code >= 0xe000) return encodeURIComponent(character);
    return `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`;
  }).join('');

function preference(random: Random): readonly [name: string, value: string] {
  const [name = '', ...values] = random.of(odd.preferences);
  return [name, random.oneIn(2) ? random.text() : random.of(values)];
}

function query(random: Random): string {
  const pairs = random.some(4, () => {
    if (random.oneIn(2)) return `${encoded(random.text())}=${encoded(random.text())}`;
    const [name, value] = preference(random);
    return `__${name}=${encoded(value)}`;
  });
  return pairs.join('&');
}

function preferHeader(random: Random): string {
  const written = random.some(3, () => {
    const [name, value] = preference(random);
    return name + random.of([`=${value}`, `="${value}"`, `:${value}`, ` = ${value}`]);
  });
  return written.join(', ');
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/g;

function header(random: Random): readonly [string, string] {
  const value = random.weighted([
    [1, () => random.text()],
    [1, () => preferHeader(random)],
    [1, () => random.of(['http://localhost', 'application/json', '2026-05-20T00:00:00Z'])],
  ]);
  // Half of them without bytes that no server accepts, so that the mock gets them.
  const sent = random.oneIn(2) ? value.replaceAll('\r\n', ' ') : asBytes(value).replaceAll(CONTROL, '');
  return [random.of(odd.headers), sent];
}

const HOSTILE_JSON: readonly string[] = [
  ['', '{', 'null', '[]', '"x"', '['.repeat(5000), `${'['.repeat(5000)}${']'.repeat(5000)}`],
  `{"x":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  `{${Array.from({ length: 12_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
].flat();

/** Values for members of these names, where others would make the mock do nothing, or wait for long. */
const BY_NAME: Readonly<Record<string, readonly (string | number)[]>> = {
  on: ['every', ...endpointIds],
  glob: ['*', '', '/api/*', '*a*a*a*a*b', '**'.repeat(99)],
  code: [200, 204, 404],
  rate: [1_000_000],
};

type SchemaLike = Readonly<Record<string, unknown>>;

/** A value for a schema: mostly a valid one, sometimes anything else. */
function valueFor(random: Random, schema: SchemaLike, name = ''): unknown {
  if (random.oneIn(7)) {
    if (random.oneIn(2)) return random.text();
    return random.of([null, true, {}, [], -1, 1e9, 0.5]);
  }
  const { properties, items, anyOf, enum: choices, additionalProperties } = schema;
  const inner = (one: unknown, key: string): unknown => valueFor(random, one as SchemaLike, key);
  if (Array.isArray(choices)) return random.of<unknown>(choices);
  if (Array.isArray(anyOf)) return inner(random.of<unknown>(anyOf), name);
  if (Object.hasOwn(BY_NAME, name)) return random.of(BY_NAME[name] ?? []);
  const type = String(schema['type']);
  if (type === 'array') return random.some(3, () => inner(items, name));
  if (/number|integer/.test(type)) return random.below(3);
  if (type.includes('string')) return random.text();
  if (type.includes('boolean')) return random.oneIn(2);
  const members: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(properties ?? {})) if (random.oneIn(2)) members[key] = inner(one, key);
  if (typeof additionalProperties === 'object' && random.oneIn(2))
    members[random.text()] = inner(additionalProperties, name);
  return members;
}

const pathOf = (random: Random, pattern: string): string =>
  pattern.replaceAll(/\{\w+\}/g, () =>
    random.oneIn(2) ? random.of(['AGENT', 'one', 'plan-1', '1']) : encoded(random.text()),
  );

const routes = adminRoutes
  .filter(({ isStream }) => isStream !== true)
  .map(({ method, path, body = {} }) => ({ method, path: `/__admin${path}`, body }));

/** A request that is mostly well-formed HTTP, with every kind of text wherever there is room for it. */
export function oddRequest(random: Random): OddRequest {
  const isForService = random.oneIn(2);
  const { method, path, body } = isForService
    ? { ...endpoints[random.of(endpointIds)], body: undefined }
    : random.of(routes);
  const search = query(random);
  const target = `${pathOf(random, path)}${search === '' ? '' : '?'}${search}`.slice(0, LONGEST_TARGET);
  // The same path in every form of a request target.
  const written = random.weighted([
    [6, () => target],
    [2, () => random.of(odd.origins) + target],
    [1, () => `/_s/${encoded(random.text())}${target}`.slice(0, LONGEST_TARGET)],
    [1, () => random.of(odd.targets)],
  ]);
  const request = {
    method: isForService && random.oneIn(6) ? random.of(['OPTIONS', 'HEAD', 'DELETE']) : method,
    target: written,
    headers: random.some(3, () => header(random)),
  };
  if (method === 'GET') return { ...request, body: undefined };
  const sent = random.weighted([
    [body ? 5 : 0, () => asBytes(JSON.stringify(valueFor(random, body ?? {})) ?? '')],
    [1, () => random.of(HOSTILE_JSON)],
    [1, () => asBytes(random.text())],
  ]);
  return { ...request, body: sent };
}
