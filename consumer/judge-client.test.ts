import type { Mock } from '../mock/index.ts';
import { gaps } from '../spec/index.ts';
import { misfitsOf } from '../conformance/report/json-schema.ts';
import schema from './client-report.schema.json';
import { judgeClient } from './judge-client.ts';
import { clientAnnotations, clientReporters } from './reporters/index.ts';
import { knownFindings, scoreOf, withKnownFindings, type ClientReport } from './report.ts';

type Got = Readonly<{ agent: Record<'name' | 'createdAt', string> }>;

async function get(mock: Mock, path: string): Promise<Got> {
  const answer = await mock.fetch(path, { headers: { authorization: `Bearer ${mock.target.token}` } });
  return (await answer.json()) as Got;
}

const agentOf = ({ target }: Mock): string => `/api/v1/agents/${target.agentId}`;

let runs = 0;
const tests = {
  'reads an agent': async (mock: Mock) => {
    const { agent } = await get(mock, agentOf(mock));
    expect([agent.name.length > 0, agent.createdAt.endsWith('Z')]).toEqual([true, true]);
  },
  'shows 400 results without the badge': async (mock: Mock) => {
    await get(mock, `${agentOf(mock)}/results?limit=1000&limt=5&token=a`);
  },
  'a wrong filter is refused': async (mock: Mock) => {
    await get(mock, `${agentOf(mock)}/results?timeFilter=lastweek`);
  },
  'passes only once': () => {
    if (runs++ > 0) throw new Error('again');
  },
  'never passes': (mock: Mock) => expect(get(mock, `${agentOf(mock)}/publishedAgent`)).resolves.toBe('no'),
};

let report: ClientReport;
beforeAll(async () => {
  report = await judgeClient({ tests, client: 'app', onPurpose: ['nothing'], world: ['--seed', '7'] });
});

test('says what is sent, leaned on, noticed and needed', () => {
  expect(report.outcome).toBe('unsound');
  expect(report.tests).toMatchObject({
    steady: ['reads an agent', 'shows 400 results without the badge', 'a wrong filter is refused'],
    flaky: ['passes only once'],
    failing: ['never passes'],
  });
  const sent = report.findings.filter(({ aspect }) => aspect === 'sent');
  expect(sent.map(({ id, tests: of, accepted }) => [id, of, accepted !== undefined])).toEqual([
    ['sent:stray-token:every-endpoint:query/token', ['shows 400 results without the badge'], false],
    ['sent:invalid:list-results:query/limit', ['shows 400 results without the badge'], false],
    ['sent:unknown-parameter:list-results:query/limt', ['shows 400 results without the badge'], false],
    ['sent:invalid:list-results:query/timeFilter', ['a wrong filter is refused'], true],
  ]);
  expect(sent[0]?.again).toMatch(
    /^npx .* run --seed 7 -- sh -c 'curl .*"authorization: Bearer \$AGENT_CONTRACT_TOKEN"'$/,
  );
  const leanedOn = report.findings.filter(({ aspect }) => aspect === 'freedom').map(({ id }) => id);
  // In the order of the questions, whichever trial ends first.
  const formats = Object.keys(gaps['timestamp-format'].choices).map((id) => `freedom:timestamp-format=${id}`);
  expect(leanedOn.filter((id) => id.includes(':timestamp-format='))).toEqual(
    formats.filter((id) => leanedOn.includes(id)),
  );
  expect(leanedOn).toContain('freedom:timestamp-format=rfc3339-offset');
  expect(leanedOn).toContain('freedom:error-body=empty');
  expect(report.needs).toMatchObject({
    client: 'app',
    endpoints: { 'get-agent': { fields: { '/agent/name': ['absent', 'empty'] } } },
    worksNotWith: { 'error-body': ['html', 'empty'] },
  });
  const ofBytes = report.findings.find(({ id }) => id === 'faults:get-agent-answer-not-utf8');
  expect(ofBytes?.why).toMatch(/: text that is not UTF-8: the byte 0xe9 at position \d+, after ".*caf"\.$/);
  const said = (id: string) => report.findings.find((one) => one.id === `faults:${id}`)?.why;
  expect(said('get-agent-spells-id-otherwise')).toContain('takes no harm');
  expect(said('get-agent-answers-another')).not.toContain('takes no harm');
  expect(report.faults?.unreached).toContain('get-published-agent-answers-another');
  expect(report.coverage?.neverMet).toEqual(expect.arrayContaining(['Create agent', 'a second page']));
});

test('a baseline accepts what it names, and names what is gone', () => {
  const known = knownFindings(report);
  const accepted = withKnownFindings(report, known);
  expect([accepted.outcome, accepted.stale]).toEqual(['sound', []]);
  const gone = { check: 'faults:results-ascending-no-more', reason: 'once' };
  const over = { ...known.entries[0], check: known.entries[0]?.check ?? '', reason: 'old', expires: '2001-01-01' };
  const judged = withKnownFindings(report, { entries: [over, ...known.entries.slice(1), gone] });
  expect([judged.outcome, judged.stale]).toEqual(['unsound', [over.check, gone.check]]);
});

test('every format tells of every finding', () => {
  const open = report.findings.filter(({ accepted }) => accepted === undefined);
  const xml = clientReporters.junit(report);
  expect(xml.match(/<failure /g)).toHaveLength(open.length);
  expect(xml).toContain(`failures="${open.length}"`);
  const json: unknown = JSON.parse(clientReporters.json(report));
  expect([json, misfitsOf(schema, json)]).toEqual([JSON.parse(JSON.stringify(report)), []]);
  const [score, text] = [`the tests notice ${report.faults && scoreOf(report.faults)} %`, clientReporters.text(report)];
  const harms = ['harm      5 of 5\n', 'of 5, if the client reads'];
  for (const said of [...open.map(({ id }) => id.split(/[=:]/).at(-1)), ...harms]) expect(text).toContain(said);
  for (const out of [text, clientReporters.html(report), clientAnnotations(report)]) expect(out).toContain(score);
  expect(clientAnnotations(report).match(/::error title=/g)).toHaveLength(open.length + 1);
});
