import type { EndpointId } from '../../spec/index.ts';
import type { Verdict } from '../check.ts';
import type { Caller } from '../http/exchange.ts';
import { foreignTraffic, ownTraffic, type Policy } from '../history/policy.ts';
import { createJudgement } from '../history/judgement.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { authenticationChecks } from './authentication.ts';

/** A request for a name in a workspace, and the name in the answer, or a refusal. */
interface Told {
  readonly caller?: Caller;
  readonly name: string;
  readonly workspaceId?: string;
  readonly got?: string;
  readonly status?: number;
  readonly method?: string;
}

function verdictOn(endpoint: EndpointId, told: readonly Told[], policy: Policy): Verdict | undefined {
  const checks = authenticationChecks.filter(({ id }) => id === `${endpoint}-refusal-gives-nothing`);
  const judgement = createJudgement(checks, { target: {}, strictNull: false, policy });
  for (const [i, { caller = 'valid', name, workspaceId = 'w', got, status, method = 'POST' }] of told.entries()) {
    const isAgent = endpoint === 'create-agent';
    const sent = isAgent ? { workspaceId, agent: { name: 'A', publicId: name } } : { name: 'W', slug: name };
    const shown = isAgent ? { agent: { id: `a${i}`, publicId: got } } : { workspace: { id: `w${i}`, slug: got } };
    const exchange = sampleExchange({
      n: 2 * i + 2,
      endpoint,
      caller,
      status: status ?? (got === undefined ? 400 : 201),
      json: got === undefined ? {} : shown,
    });
    judgement.see({ ...exchange, sent, method });
  }
  const [judged] = judgement.conclude();
  if (!judged || 'error' in judged) throw judged?.error ?? new Error('no such check');
  return judged.verdict;
}

const found = (endpoint: EndpointId, told: readonly Told[], policy = ownTraffic): string | undefined =>
  verdictOn(endpoint, told, policy)?.findings[0]?.actual;

const refused: Told = { caller: 'none', name: 'n', status: 401 };
const keeps = (name: string): Told => ({ name, got: name });

const TAKEN = 'the name is taken: the next is "n-2"';
const IN_USE = 'the name is refused with 409, and others are not';

describe.each(['create-agent', 'create-workspace'] as const)('a name of %s', (endpoint) => {
  test.each<[string, readonly Told[], string | undefined]>([
    ['is free after a refusal', [keeps('a'), refused, keeps('n')], undefined],
    ['is in use, and given in another form', [keeps('a'), refused, { name: 'n', got: 'n-2' }], TAKEN],
    [
      'is in use, for wrong credentials too',
      [keeps('a'), { ...refused, caller: 'wrong' }, { name: 'n', got: 'n-2' }],
      TAKEN,
    ],
    ['is taken, and refused', [keeps('a'), refused, { name: 'n', status: 409 }, keeps('b')], IN_USE],
    ['is refused, as all names after it may be', [keeps('a'), refused, { name: 'n', status: 409 }], undefined],
    ['is refused because of the token', [keeps('a'), refused, { name: 'n', status: 403 }, keeps('b')], undefined],
    [
      'is refused because of too many requests',
      [keeps('a'), refused, { name: 'n', status: 429 }, keeps('b')],
      undefined,
    ],
    ['is refused by a server error', [keeps('a'), refused, { name: 'n', status: 500 }, keeps('b')], undefined],
    ['never comes back as it was sent', [{ name: 'a', got: 'A' }, refused, { name: 'n', got: 'n-2' }], undefined],
    [
      'sometimes comes back changed',
      [keeps('a'), { name: 'b', got: 'B' }, refused, { name: 'n', got: 'n-2' }],
      undefined,
    ],
    ['was given before', [keeps('n'), refused, { name: 'n', got: 'n-2' }, keeps('a')], undefined],
    [
      'was given despite wrong credentials',
      [keeps('a'), { ...refused, got: 'n', status: 201 }, { name: 'n', got: 'n-2' }],
      undefined,
    ],
    [
      'is refused to a caller with a weaker token',
      [keeps('a'), { ...refused, caller: 'read' }, { name: 'n', got: 'n-2' }],
      undefined,
    ],
    [
      'is requested by another method',
      [keeps('a'), { ...refused, method: 'PUT' }, { name: 'n', got: 'n-2' }, keeps('b')],
      undefined,
    ],
  ])('%s', (_, told, expected) => {
    expect(found(endpoint, told)).toBe(expected);
  });

  test('says nothing if others request the names', () => {
    expect(found(endpoint, [keeps('a'), refused, { name: 'n', got: 'n-2' }], foreignTraffic)).toBeUndefined();
  });
});

test.each<[string, string, readonly Told[], string | undefined]>([
  ['that accepts agents', 'w', [keeps('a')], IN_USE],
  ['that accepts none', 'v', [keeps('a')], undefined],
  ['that refused others', 'v', [keeps('a'), { name: 'b', workspaceId: 'v' }], undefined],
])('a name that is refused in a workspace %s', (_, workspaceId, before, expected) => {
  const told = [...before, { ...refused, workspaceId }, { name: 'n', status: 409, workspaceId }, keeps('c')];
  expect(found('create-agent', told)).toBe(expected);
});
