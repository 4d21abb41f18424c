import { testMock } from '../testing/test-client.ts';
import rows from '../testing/faults.json';

/** The faults that let in whoever sends this, of all that are about what is sent as credentials. */
function letsIn(authorization: string | null, more: { readonly query?: string; readonly cookie?: string } = {}) {
  const { query = '', cookie } = more;
  return ['no-authorization', 'other-scheme', 'empty-token', 'unknown-token', 'similar-token'].filter((way) => {
    const { mock, call } = testMock({ tokens: { 'token-one': 'write' }, faults: [`get-agent-accepts-${way}`] });
    const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
    return call(`/api/v1/agents/${mock.target.agentId}${query}`, { authorization, headers }).status === 200;
  });
}

const similar = 'token-on oken-one tokn-one token-onee ttoken-one tokken-one tokem-one TOKEN-one'.split(' ');
const unknown = 'token-two token-o ken-one token-one12 12token-one tokem-ome tkoen-one t'.split(' ');
test.each([...similar, ...unknown])('the token %s instead of token-one gets in with one fault', (token) => {
  expect(letsIn(`Bearer ${token}`)).toEqual([similar.includes(token) ? 'similar-token' : 'unknown-token']);
});

const headers = rows.headers as [string | null, Parameters<typeof letsIn>[1], string[]][];
test.each(headers)('the header %j with %j gets in with the faults %j', (authorization, more, ways) => {
  expect(letsIn(authorization, more)).toEqual(ways);
});
