import fc from 'fast-check';
import type { EndpointId } from '../../spec/index.ts';
import type { Json } from '../../text/json.ts';
import { parameters } from '../service/results-query.ts';
import { profileNames } from '../profiles/index.ts';
import { warningsOfRequest } from './request-warnings.ts';
import { testMock } from '../testing/test-client.ts';

const bytes = (body: Json | string): Uint8Array =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

/** Mistakes as `place: message`. */
function slipsOf(endpoint: EndpointId, search: string, body?: Json, contentType = 'application/json') {
  const sent = body === undefined ? undefined : bytes(body);
  const request = { method: 'GET', target: '/', headers: { 'content-type': contentType }, body: sent };
  const found = warningsOfRequest(endpoint, request, [...new URLSearchParams(search)]);
  for (const { location, severity } of found) expect([location[0], severity]).toEqual(['request', 'Warning']);
  return found.map(({ location, message }) => `${location.slice(1).join('/')}: ${message}`);
}

test.each<[EndpointId, string, Json | undefined, RegExp]>([
  ['list-results', 'timefilter=today', undefined, /^query\/timefilter: Is not a parameter .* mean timeFilter\?$/],
  ['list-results', 'pageSize=5&x=1&x=2', undefined, /^query\/pageSize: .* Did you mean limit\?\nquery\/x: [^?\n]*$/],
  ['list-results', 'limit[]=1&limit[]=2', undefined, /^query\/limit\[\]: .* plain name\. Did you mean limit\?$/],
  ['list-results', 'limit=1&limit[]=2', undefined, /^query\/limit\[\]: .* Did you mean limit\?$/],
  ['list-results', 'page[number]=2', undefined, /^query\/page\[number\]: .* Did you mean cursor\?$/],
  ['list-results', 'amp;limit=5', undefined, /^query\/amp;limit: .* Did you mean limit\?$/],
  ['list-results', 'utm[source]=5', undefined, /^query\/utm\[source\]: [^?\n]*\.$/],
  ['list-results', 'limit=1&limit=2', undefined, /^query\/limit: Is given more than once.*$/],
  ['list-results', 'limit=500', undefined, /^query\/limit: .*"500"\. Did you mean 100\?$/],
  ['list-results', 'timeFilter=Today', undefined, /^query\/timeFilter: .*Did you mean today\?$/],
  ['list-results', 'timeZone=+02:00', undefined, /^query\/timeZone: A \+ in a URL.*$/],
  ['list-results', 'start=2026-05-01T12:00:00+02:00', undefined, /^query\/start: A \+ in a URL.*$/],
  ['list-results', 'start=2026-05-01 12:00&timeZone=%2B02:00&__code=404', undefined, /^$/],
  ['get-agent', 'limit=5', undefined, /^query\/limit: Is not a parameter of Get agent\.$/],
  ['get-agent', '', { a: 1 }, /^body: Get agent reads no body.*$/],
  ['create-agent', 'workspaceId=x', {}, /^query\/workspaceId: .* It belongs in the body\.$/],
  [
    'create-agent',
    '',
    { workspaceID: 'x', agnet: {} },
    /^body\/workspaceID: .* workspaceId\?\nbody\/agnet: .* agent\?$/,
  ],
  ['create-agent', '', { agent: { nmae: 'A' } }, /^body\/agent\/nmae: Is not a documented field. Did you mean name\?$/],
  ['create-agent', '', { agent: { nmae: 'A', name: 'A' } }, /^$/],
  ['create-agent', '', { agent: { mood: 'A', note: 'B', folderId: null, description: '', tags: [] } }, /^$/],
  ['create-agent', '', { agent: {}, icon: 'x' }, /^body\/icon: Is a field of the agent, and has no effect here.*$/],
  ['import-agent', '', { agent: { version: '6', is_published: true } }, /^body\/agent\/is_published: .*isPublished\?$/],
  ['import-agent', '', { agent: { Version: '6', ico: 'x' } }, /^body\/agent\/Version: .*Did you mean version\?$/],
  ['import-agent', '', { agent: { version: '5', ico: 'x' } }, /^$/],
  ['create-workspace', '', { nmae: 'A', Slug: 's' }, /^.* Did you mean name\?\nbody\/Slug: .*Did you mean slug\?$/],
  ['create-workspace', '', { name: 'A' }, /^$/],
  ['create-workspace', '', '{ no JSON', /^$/],
  ['create-workspace', '', [1], /^$/],
])('%s ?%s %j', (endpoint, search, body, expected) => {
  expect(slipsOf(endpoint, search, body).join('\n')).toMatch(expected);
});

test('a parameter written as a list or an object is reported under its plain name', () => {
  const key = fc.constantFrom('', '0', '12', 'x', 'gte', 'value', 'limits', '$in');
  const notation = fc.oneof(
    key.map((inner) => (name: string) => `${name}[${inner}]`),
    key.map((inner) => (name: string) => `${name}.${inner}`),
    fc.tuple(key, key).map((inner) => (name: string) => `${name}[${inner.join('][')}]`),
    fc.constantFrom('page', 'query', 'filter', 'a').map((outer) => (name: string) => `${outer}[${name}]`),
    fc.constantFrom('params', 'a').map((outer) => (name: string) => `${outer}.${name}`),
  );
  fc.assert(
    fc.property(fc.constantFrom(...parameters), notation, (name, written) => {
      const search = new URLSearchParams([[written(name), '1']]).toString();
      expect(slipsOf('list-results', search)).toEqual([
        `query/${written(name)}: Is not a parameter of List results of an agent. Give a parameter one value, under its plain name. Did you mean ${name}?`,
      ]);
    }),
  );
});

test.each<[string, RegExp]>([
  ['text/plain', /Should be application\/json; it is "text\/plain"/],
  ['application/json; charset=latin1', /reads the body as UTF-8/],
  ['application/json; charset=utf-8', /^$/],
  ['application/json; charset=UTF8', /^$/],
  ['application/json; charset="utf-8"', /^$/],
])('the content type %s', (contentType, message) => {
  expect(slipsOf('create-workspace', '', { name: 'A' }, contentType).join('\n')).toMatch(message);
});

test('the number and length of warnings and the work for them are bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`name_${'-'.repeat(i % 40)}`, i]));
  expect(slipsOf('create-workspace', '', many).length).toBeLessThanOrEqual(20);
  const search = Array.from({ length: 5000 }, (_, i) => `q${i}=1`).join('&');
  expect(slipsOf('list-results', search).length).toBe(20);
  const long = 'x'.repeat(1_000_000);
  expect(
    slipsOf('list-results', `${long}=${long}&limit=${long}&timeFilter=${long}&start=${long}`).join('').length,
  ).toBeLessThan(1500);
  expect(slipsOf('create-agent', '', { [`workspace${'_'.repeat(100)}Id`]: 1 })).toEqual([]);
});

test('names of built-in members', () => {
  expect(slipsOf('list-results', 'constructor=1&toString=2&__proto__=3').length).toBe(2);
  expect(slipsOf('create-agent', '', '{"__proto__":{"agent":{}},"agent":{"__proto__":1,"constructor":2}}')).toEqual([]);
});

test.each(profileNames)('a mistake in a field causes a warning under %s', (profile) => {
  const { mock, call } = testMock({ profile, validate: true });
  const body = { workspaceId: mock.target.workspaceId, agent: { name: 'A', icn: 'x' } };
  const answer = call('/api/v1/agents', { body });
  expect(answer.status).toBeLessThan(300);
  expect(answer.headers['sl-violations']).toContain('Did you mean icon?');
  expect(mock.journal.entries()[0]?.violations).toContainEqual(expect.objectContaining({ code: 'misspelt-field' }));
});
