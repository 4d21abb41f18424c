import type { CheckReport, Report } from '../report/report.ts';
import { judgeTiny } from '../testing/test-run.ts';
import type { TinyOptions } from '../testing/tiny-service.ts';
import { authenticationChecks } from './authentication.ts';

const all = authenticationChecks.map(({ id }) => id);

const judge = (before?: TinyOptions['before'], only: readonly string[] = all) =>
  judgeTiny({ only, seed: 3, readToken: undefined }, { before });

const byId = ({ checks }: Report, id: string): CheckReport | undefined => checks.find((check) => check.id === id);
const failed = ({ checks }: Report): readonly string[] =>
  checks.filter(({ status }) => status === 'fail').map(({ id }) => id);

test('detects a list that is served by its cursor alone', async () => {
  const report = await judge((request, answer) => {
    if (!request.query.has('cursor') || request.authorization !== undefined) return undefined;
    request = { ...request, authorization: 'Bearer good' };
    return answer().status === 401 ? { status: 200, body: { results: [], nextCursor: null } } : undefined;
  });
  expect(failed(report)).toEqual(['list-results-refuses-no-authorization']);
  expect(byId(report, 'list-results-refuses-no-authorization')?.failure).toMatchObject({
    expected: 'the request without the Authorization header is refused',
    actual: 'it was accepted with 200',
  });
});

test.each(['good', 'Token good', `Basic ${Buffer.from(':good').toString('base64')}`])(
  'a service that takes %j fails at every endpoint, although each meets some of the schemes at first',
  async (authorization) => {
    const report = await judge((request, answer) =>
      answer(request.authorization === authorization ? { ...request, authorization: 'Bearer good' } : request),
    );
    expect(failed(report)).toEqual(all.filter((id) => id.endsWith('-refuses-other-scheme')));
  },
);

test('a service that ignores what follows the token fails as one that takes similar tokens', async () => {
  const report = await judge((request, answer) => {
    const isAgent = request.method === 'GET' && /\/agents\/[^/]+$/.test(request.path);
    if (request.authorization !== 'Bearer good extra' || !isAgent) return undefined;
    return answer({ ...request, authorization: 'Bearer good' });
  });
  expect(failed(report)).toEqual(['get-agent-refuses-similar-token']);
});

test('a service that accepts everything fails once for each kind of credentials, and not for the consequences', async () => {
  const report = await judge((request) =>
    request.path.endsWith('/main')
      ? { status: 200, body: { agent: { id: 'main', version: '6' }, currentUserMode: 'read' } }
      : undefined,
  );
  expect(failed(report)).toEqual([
    'get-agent-refuses-no-authorization',
    'get-agent-refuses-other-scheme',
    'get-agent-refuses-empty-token',
    'get-agent-refuses-unknown-token',
  ]);
  expect(byId(report, 'get-agent-refuses-similar-token')).toMatchObject({ status: 'not-judged' });
});

test('a service that locks the caller out is not judged by what follows', async () => {
  let refused = 0;
  const report = await judge((_, answer) => {
    if (refused >= 4) return { status: 403 };
    const answered = answer();
    if (answered.status === 401) refused++;
    return answered;
  });
  expect(failed(report)).toEqual([]);
  expect(byId(report, 'create-workspace-refuses-similar-token')?.status).toBe('not-judged');
  // The first endpoint is drawn. The others are refused before any wrong credentials are tried.
  const reasons = report.checks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  expect(reasons.filter((reason) => !/the right token|answered 403/.test(reason))).toEqual([]);
  expect(reasons.some((reason) => reason.includes('right token'))).toBe(true);
});

describe('a creation despite a refusal', () => {
  const taking = (how: 'changed' | 'refused', isReserved: (name: string) => boolean): TinyOptions['before'] => {
    const taken = new Set<unknown>();
    return (request, answer) => {
      const { publicId } = Object(request.body['agent']) as { publicId?: string };
      const isTaken = taken.has(publicId);
      if (publicId !== undefined && request.method === 'POST') taken.add(publicId);
      if (request.authorization !== 'Bearer good' || publicId === undefined) return answer();
      if (!isTaken && !isReserved(publicId)) return answer();
      if (how === 'refused') return { status: 409, body: { message: 'in use' } };
      const { status, body } = answer();
      return { status, body: { agent: { ...(body as { agent: object }).agent, publicId: `${publicId}-2` } } };
    };
  };
  const only = ['create-agent-refusal-gives-nothing'];

  test.each(['changed', 'refused'] as const)('is revealed by a name that is in use, and %s', async (how) => {
    const before = taking(how, () => false);
    expect(failed(await judge(before, only))).toEqual(only);
  });

  test.each(['changed', 'refused'] as const)('is not revealed if every name is %s', async (how) => {
    const before = taking(how, () => true);
    expect(failed(await judge(before, only))).toEqual([]);
  });
});
