import { checks } from './checks/index.ts';
import { selectChecks } from './select.ts';
import { UsageError } from './usage-error.ts';

const ids = (only?: readonly string[], skip?: readonly string[]): readonly string[] =>
  selectChecks(checks, { only, skip }).map(({ id }) => id);

test.each<[string, (id: string) => boolean]>([
  ['get-agent-accepts-valid-request', (id) => id === 'get-agent-accepts-valid-request'],
  ['create-workspace', (id) => /^created?-workspace-/.test(id)],
  ['4.4', (id) => id.startsWith('get-published-agent-')],
  ['authorization-required', (id) => /-refuses-(no-authorization|token-elsewhere)$/.test(id)],
  ['5', (id) => /-refuses-(no-authorization|other-scheme|\w+-token|token-elsewhere)$|-gives-nothing$/.test(id)],
  ['*-answer-shape', (id) => id.endsWith('-answer-shape')],
  ['4', () => true],
])('only %s', (pattern, belongs) => {
  expect(ids([pattern])).toEqual(checks.map(({ id }) => id).filter(belongs));
});

test('adds what is included and removes what is excluded', () => {
  const own = checks.filter(({ endpoint }) => ['get-agent', 'create-workspace'].includes(endpoint));
  const wanted = own.filter(({ id }) => !/-refuses-|-shape$/.test(id));
  expect(ids(['4.6', 'get-agent'], ['*-refuses-*', '*-shape'])).toEqual(wanted.map(({ id }) => id));
});

test.each(['get-agnet', '4.99', 'create.agent*', ''])('a pattern that matches nothing is an error: %j', (pattern) => {
  expect(() => ids([pattern])).toThrow(UsageError);
  expect(() => ids(undefined, [pattern])).toThrow(UsageError);
});
