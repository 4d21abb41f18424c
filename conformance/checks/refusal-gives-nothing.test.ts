import type { EndpointId } from '../../spec/index.ts';
import type { Caller } from '../http/exchange.ts';
import { foreignTraffic, ownTraffic } from '../history/policy.ts';
import { verdictsOn } from '../testing/sample-exchange.ts';
import { checks } from './index.ts';

/** A request for a name in a workspace, and the name in the answer, or a refusal. */
interface Request {
  readonly caller?: Caller;
  readonly name: string;
  readonly workspaceId?: string;
  readonly got?: string;
  readonly status?: number;
}

function found(endpoint: EndpointId, requests: readonly Request[], policy = ownTraffic): string | undefined {
  const samples = requests.map(({ caller = 'valid', name, workspaceId = 'w', got, status }, i) => {
    const isAgent = endpoint === 'create-agent';
    const shown = isAgent ? { agent: { id: `a${i}`, publicId: got } } : { workspace: { id: `w${i}`, slug: got } };
    return {
      endpoint,
      caller,
      sent: isAgent ? { workspaceId, agent: { name: 'A', publicId: name } } : { name: 'W', slug: name },
      status: status ?? (got === undefined ? 400 : 201),
      json: got === undefined ? {} : shown,
    };
  });
  const id = `${endpoint}-refusal-gives-nothing`;
  const ours = checks.filter((check) => check.id === id);
  return verdictsOn(ours, samples, { policy }).get(id)?.findings[0]?.actual;
}

const refused: Request = { caller: 'none', name: 'n', status: 401 };
const keeps = (name: string): Request => ({ name, got: name });

const renamed: Request = { name: 'n', got: 'n-2' };
const taken: Request = { name: 'n', status: 409 };
const twice = (status: number) => [keeps('a'), refused, { name: 'n', status }, keeps('b'), { name: 'n', status }];

const TAKEN = 'the name is taken: the next is "n-2"';
const IN_USE = 'the name is refused with 409, and others are not';

describe.each(['create-agent', 'create-workspace'] as const)('a name of %s', (endpoint) => {
  test.each<[string, readonly Request[], string | undefined]>([
    ['is free after a refusal', [keeps('a'), refused, keeps('n')], undefined],
    ['is in use, and given in another form', [keeps('a'), refused, renamed], TAKEN],
    ['is taken, and refused', twice(409), IN_USE],
    ['is taken by a request that is refused itself', [keeps('a'), refused, taken, keeps('b'), renamed], undefined],
    ['is refused once, as by a busy server', [keeps('a'), refused, taken, keeps('b')], undefined],
    ['is refused, as all names after it may be', [keeps('a'), refused, taken, taken], undefined],
    ['is refused because of the token', twice(403), undefined],
    ['sometimes comes back changed', [keeps('a'), { name: 'b', got: 'B' }, refused, renamed], undefined],
    ['was given before', [keeps('n'), refused, renamed, keeps('a')], undefined],
    ['was given despite wrong credentials', [keeps('a'), { ...refused, got: 'n', status: 201 }, renamed], undefined],
    ['is refused to a caller with a weaker token', [keeps('a'), { ...refused, caller: 'read' }, renamed], undefined],
  ])('%s', (_, requests, expected) => {
    expect(found(endpoint, requests)).toBe(expected);
  });

  test('says nothing if others request the names', () => {
    expect(found(endpoint, [keeps('a'), refused, renamed], foreignTraffic)).toBeUndefined();
  });
});

test.each<[string, string, readonly Request[], string | undefined]>([
  ['that accepts agents', 'w', [keeps('a')], IN_USE],
  ['that accepts none', 'v', [keeps('a')], undefined],
])('a name that is refused in a workspace %s', (_, workspaceId, before, expected) => {
  const again = { ...taken, workspaceId };
  const requests = [...before, { ...refused, workspaceId }, again, keeps('c'), again];
  expect(found('create-agent', requests)).toBe(expected);
});
