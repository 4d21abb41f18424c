import { createHash } from 'node:crypto';
import { endpoints } from '../../spec/index.ts';
import { templateOf } from '../../spec/json-pointer.ts';
import type { CheckReport, RecordedExchange, Report, Reporter } from '../report/report.ts';
import { basisOf, derivationOf, knownEntry, reasonOf } from './wording/wording.ts';
import { optional } from '../show.ts';
import { lines, safeJson } from './wording/safe-json.ts';
import { findingLine } from '../report/findings.ts';

/** SARIF 2.1.0. Unjudged and broken checks are notifications, since GitHub would show any result as an alert. */
export const sarifReporter = (report: Report, { includeBodies = false }: Partial<Parameters<Reporter>[1]> = {}) => {
  const { tool, target, seed, outcome, summary, counts, checks, baseline } = report;
  const results = [...checks.entries()].filter(([, { status }]) => status === 'fail');
  return safeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: checks.map(ruleOf), notifications } },
        automationDetails: { id: 'agent-contract/' },
        invocations: [
          {
            executionSuccessful: outcome !== 'unreachable' && counts.error === 0,
            startTimeUtc: timeOf(report, 0),
            endTimeUtc: timeOf(report, report.durationMs),
            toolExecutionNotifications: checks.flatMap(notificationsOf),
          },
        ],
        results: results.map(([index, check]) => ({
          ...resultOf(check, index, includeBodies),
          ...baselineStateOf(report, check),
        })),
        columnKind: 'utf16CodeUnits',
        properties: { target: target.baseUrl, seed, outcome, summary, counts, baseline, ...basisOf(report) },
      },
    ],
  });
};

function timeOf({ startedAt }: Report, after: number): string | undefined {
  return new Date(Date.parse(startedAt) + Math.round(after)).toJSON() ?? undefined;
}

const notifications = [
  {
    id: 'not-judged',
    shortDescription: { text: 'Something was missing that the run needs. This is not a fault of the target.' },
  },
  { id: 'error', shortDescription: { text: 'The runner itself broke. This is not a fault of the target.' } },
];

function ruleOf(check: CheckReport): object {
  const { id, title, endpoint, requirements, provenBy = [] } = check;
  const help = requirements.map((requirement) => {
    const { section, lane, statement } = requirement;
    return `Section ${section}, ${lane}: ${statement} ${derivationOf(requirement) ?? ''}`.trim();
  });
  const [first = title] = help;
  if (provenBy.length > 0) help.push('', 'Proven to catch:', ...provenBy.map(({ does }) => `- ${does}`));
  const sections = requirements.map(({ section }) => `section-${section}`);
  const tags = [...new Set([endpoint, ...requirements.map(({ lane }) => lane), ...sections])];
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: first },
    help: { text: lines(help) },
    defaultConfiguration: { level: 'error' },
    properties: { tags, precision: 'very-high', 'problem.severity': 'error' },
  };
}

function resultOf(check: CheckReport, ruleIndex: number, includeBodies: boolean): object {
  const { id, endpoint, failure } = check;
  const exchanges = failure?.exchanges ?? [];
  const digest = createHash('sha256').update(`${id} ${templateOf(failure?.at ?? '')}`);
  const fingerprint = digest.digest('hex').slice(0, 16);
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: 'error',
    message: { text: messageOf(check) },
    locations: [locationOf(endpoint, failure?.at)],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'agentContract/v1': fingerprint },
    ...exchangeOf(exchanges.at(-1), includeBodies),
    properties: { at: failure?.at, curl: exchanges.toReversed().map(({ curl }) => curl) },
  };
}

function baselineStateOf(report: Report, check: CheckReport): object {
  if (!report.baseline) return {};
  const entry = knownEntry(report, check);
  if (!entry) return { baselineState: 'new' };
  return { baselineState: 'unchanged', suppressions: [{ kind: 'external', justification: reasonOf(entry) }] };
}

function messageOf({ title, failure }: CheckReport): string {
  if (!failure) return title;
  const { more = [] } = failure;
  const rest = optional` ${more.length} more of the same check.`;
  // Square brackets in a message would be links to locations.
  return `${title}: ${findingLine(failure)}.${rest}`.replace(/[[\]\\]/g, String.raw`\$&`);
}

/** GitHub requires a file in the repository for each result: the path of the endpoint stands in for it. */
function locationOf(id: CheckReport['endpoint'], at = ''): object {
  const { method, path, title } = endpoints[id];
  const name = `${method} ${path}${at}`;
  return {
    physicalLocation: { artifactLocation: { uri: encodeURI(path.slice(1)) }, region: { startLine: 1 } },
    logicalLocations: [{ name: id, fullyQualifiedName: name, decoratedName: title, kind: 'resource' }],
  };
}

function exchangeOf(exchange: RecordedExchange | undefined, includeBodies: boolean): object {
  if (!exchange) return {};
  const { method, url, status, headers = {}, body: text } = exchange;
  const body = includeBodies && text !== undefined ? { text } : undefined;
  const webResponse = status === undefined ? undefined : { statusCode: status, headers, body };
  return { webRequest: { method, target: url }, webResponse };
}

function notificationsOf({ id, status, reason = '', supply }: CheckReport, index: number): object[] {
  if (status !== 'not-judged' && status !== 'error') return [];
  const text = reason.split('\n');
  if (supply !== undefined) text.push(`Supply ${supply}.`);
  return [
    {
      level: status === 'error' ? 'error' : 'note',
      descriptor: { id: status },
      associatedRule: { id, index },
      message: { text: lines(text) },
    },
  ];
}
