import fc from 'fast-check';
import { endpointIds, endpoints } from '../../spec/index.ts';
import { adminRoutes } from '../../mock/admin/index.ts';
import { anyText } from '../../text/testing/test-any-text.ts';

/** A request as bytes, one character each. */
export interface OddRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Percent-encoded, even with lone surrogates, as some programs do it. */
const encoded = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xd800 && code < 0xe000
      ? `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
      : encodeURIComponent(character);
  }).join('');

/** Every kind of text: control characters, beyond Latin-1, four-byte characters, lone surrogates, empty, very long. */
const text: fc.Arbitrary<string> = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom('', '€', '\u{1f600}', 'é', '\0', '\u007f', '\u009f', 'a\r\nx: y', '\ud800', '\udfff!', '"\\"', '%'),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    'null',
    'undefined',
    '[object Object]',
    '../..',
    '(a+)+',
    '(',
  ),
  fc.constantFrom('x'.repeat(5000), '€'.repeat(1500), ','.repeat(3000), '='.repeat(3000), '['.repeat(3000)),
);

const preferences: Readonly<Record<string, readonly string[]>> = {
  code: ['200', '204', '304', '404', '429'],
  example: ['empty-page'],
  dynamic: ['true'],
  seed: ['1'],
  delay: ['0', '1'],
  fault: ['limit-ignored'],
  rate: ['1000000'],
  'retry-after': ['1'],
  cod: ['404'],
};
const preference = fc
  .constantFrom(...Object.keys(preferences))
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...(preferences[name] ?? [])), text)));

const query = fc
  .array(
    fc.oneof(
      preference.map(([name, value]) => [`__${name}`, value] as const),
      fc.tuple(text, text),
    ),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .join('&')
      .slice(0, 12_000),
  );

const preferHeader = fc
  .array(fc.tuple(preference, fc.constantFrom('=', '="', ':', ' = ')), { maxLength: 3 })
  .map((all) => all.map(([[name, value], sign]) => `${name}${sign}${value}${sign === '="' ? '"' : ''}`).join(', '));

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/g;

const headers = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        'prefer',
        'x-mock-now',
        'origin',
        'access-control-request-headers',
        'access-control-request-method',
        'accept',
        'content-type',
        'authorization',
        'cookie',
        'set-cookie',
        'user-agent',
      ),
      fc.oneof(text, preferHeader, fc.constantFrom('http://localhost', 'application/json', '2026-05-20T00:00:00Z')),
      fc.boolean(),
    )
    // Mostly without bytes that no server accepts, so that the mock gets them.
    .map(
      ([name, value, isRaw]) =>
        [name, isRaw ? value.replaceAll(/\r\n/g, ' ') : asBytes(value).replaceAll(CONTROL, '')] as const,
    ),
  { maxLength: 3 },
);

const hostileJson = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '['.repeat(5000),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"x":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  `{${Array.from({ length: 12_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
);

/** A value for a schema: a valid one, or anything else. */
function valueFor(schema: unknown, name: string): fc.Arbitrary<unknown> {
  const {
    type,
    properties,
    items,
    anyOf,
    enum: choices,
    additionalProperties,
  } = schema as Readonly<Record<string, unknown>>;
  const others = fc.oneof(text, fc.constantFrom<unknown>(null, true, {}, [], -1, 1e9, 0.5));
  const numbers: Readonly<Record<string, readonly number[]>> = { code: [200, 204, 404], rate: [1_000_000] };
  const fitting = (): fc.Arbitrary<unknown> => {
    if (Array.isArray(choices)) return fc.constantFrom<unknown>(...choices);
    if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => valueFor(one, name)));
    if (type === 'array') return fc.array(valueFor(items, name), { maxLength: 3 });
    if (name === 'on') return fc.constantFrom('every', ...endpointIds);
    if (name === 'glob') return fc.constantFrom('*', '', '/api/*', '*a*a*a*a*b', '**'.repeat(99));
    const kind = String(type);
    if (kind.includes('number') || kind.includes('integer')) return fc.constantFrom(...(numbers[name] ?? [0, 1, 2]));
    if (kind.includes('string')) return text;
    if (kind.includes('boolean')) return fc.boolean();
    if (typeof properties === 'object')
      return fc.record(
        Object.fromEntries(Object.entries(properties as object).map(([key, one]) => [key, valueFor(one, key)])),
        { requiredKeys: [] },
      );
    if (typeof additionalProperties === 'object')
      return fc.dictionary(text, valueFor(additionalProperties, name), { maxKeys: 2 });
    return fc.jsonValue({ maxDepth: 4 });
  };
  return fc.oneof({ weight: 6, arbitrary: fitting() }, { weight: 1, arbitrary: others });
}

const path = (pattern: string): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(text, fc.constantFrom('AGENT', 'one', 'plan-1', '1')), { minLength: 2, maxLength: 2 })
    .map((given) =>
      given.reduce((done, one) => done.replace(/\{\w+\}/, () => (one === 'AGENT' ? one : encoded(one))), pattern),
    )
    .map((target) => target.slice(0, 12_000));

const toAdmin: fc.Arbitrary<OddRequest> = fc
  .constantFrom(...adminRoutes.filter(({ isStream }) => isStream !== true))
  .chain((route) =>
    fc.record({
      method: fc.constant(route.method),
      target: fc
        .tuple(path(`/__admin${route.path}`), query)
        .map(([at, search]) => (search === '' ? at : `${at}?${search}`.slice(0, 12_000))),
      headers,
      body:
        route.method === 'GET'
          ? fc.constant(undefined)
          : fc.oneof(
              { weight: 5, arbitrary: valueFor(route.body ?? {}, '').map((value) => asBytes(JSON.stringify(value))) },
              { weight: 1, arbitrary: hostileJson },
              { weight: 1, arbitrary: text.map(asBytes) },
            ),
    }),
  );

const toService: fc.Arbitrary<OddRequest> = fc.constantFrom(...endpointIds).chain((endpoint) =>
  fc.record({
    method: fc.oneof(
      { weight: 5, arbitrary: fc.constant(endpoints[endpoint].method) },
      { weight: 1, arbitrary: fc.constantFrom('OPTIONS', 'HEAD', 'DELETE') },
    ),
    target: fc.tuple(path(endpoints[endpoint].path), query).map(([at, search]) => `${at}?${search}`.slice(0, 12_000)),
    headers,
    body: endpoints[endpoint].method === 'GET' ? fc.constant(undefined) : fc.oneof(hostileJson, text.map(asBytes)),
  }),
);

/** The same path in every form of a request target. */
const form = fc.oneof(
  { weight: 6, arbitrary: fc.constant((target: string) => target) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('http://localhost', 'https://any.host:1', 'HTTP://[::1]:80', 'http://', 'http://a@b')
      .map((origin) => (target: string) => `${origin}${target}`),
  },
  {
    weight: 1,
    arbitrary: text.map((session) => (target: string) => `/_s/${encoded(session)}${target}`.slice(0, 14_000)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('*', '//', '/?', '/_s', '/_s/', '/__admin?', '/%', '/docs/%00', '/__admin/ui/..%2f', 'http://')
      .map((odd) => () => odd),
  },
);

/** Requests that are mostly well-formed HTTP, with every kind of text wherever there is room for it. */
export const oddRequest: fc.Arbitrary<OddRequest> = fc
  .tuple(fc.oneof(toService, toAdmin), form)
  .map(([request, write]) => ({ ...request, target: write(request.target) }));
