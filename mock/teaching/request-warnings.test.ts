import fc from 'fast-check';
import type { EndpointId } from '../../spec/index.ts';
import type { Json } from '../../text/json.ts';
import { parameters } from '../service/results-query.ts';
import { profileNames } from '../profiles/index.ts';
import { warningsOfRequest } from './request-warnings.ts';
import { like, testMock } from '../testing/test-client.ts';
import rows from '../testing/request-warnings.json';

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

const requests = rows.requests as [EndpointId, string, Json | undefined, string][];
test.each(requests)('%s ?%s %j', (endpoint, search, body, expected) => {
  expect(slipsOf(endpoint, search, body ?? undefined).join('\n')).toMatch(like(expected));
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

test.each(rows.contentTypes as [string, string][])('the content type %s', (contentType, message) => {
  expect(slipsOf('create-workspace', '', { name: 'A' }, contentType).join('\n')).toMatch(like(message));
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
