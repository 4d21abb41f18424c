import { createHash } from 'node:crypto';
import { endpoints } from '../../spec/index.ts';
import { templateOf } from '../../spec/json-pointer.ts';
import type { CheckReport, FailureReport, RecordedExchange, Report, Reporter, Status } from '../report/report.ts';
import { knownEntry, reasonOf } from './wording/known.ts';
import { lines, safeJson } from './wording/safe-json.ts';
import { derivationOf, findingLine } from './wording/wording.ts';

/**
 * SARIF 2.1.0: a rule for each check, a result for each failure. Unjudged checks and runner errors are notifications of
 * the invocation, since GitHub would show any result as an alert.
 */
export const sarifReporter = (
  report: Report,
  { includeBodies = false }: Partial<Parameters<Reporter>[1]> = {},
): string => {
  const { tool, target, seed, startedAt, durationMs, outcome, summary, counts, checks } = report;
  const start = Date.parse(startedAt);
  const times = Number.isNaN(start)
    ? {}
    : {
        startTimeUtc: new Date(start).toISOString(),
        endTimeUtc: new Date(start + Math.round(durationMs)).toISOString(),
      };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: checks.map(ruleOf), notifications } },
        automationDetails: { id: 'agent-contract/' },
        invocations: [
          {
            executionSuccessful: outcome !== 'unreachable' && counts.error === 0,
            ...times,
            toolExecutionNotifications: checks.flatMap(notificationsOf),
          },
        ],
        results: checks.flatMap((check, index) =>
          check.status === 'fail'
            ? [{ ...resultOf(check, index, includeBodies), ...baselineStateOf(report, check) }]
            : [],
        ),
        columnKind: 'utf16CodeUnits',
        properties: {
          target: target.baseUrl,
          seed,
          outcome,
          summary,
          counts,
          ...(report.baseline && { baseline: report.baseline }),
        },
      },
    ],
  };
  return safeJson(log);
};

const notifications = [
  {
    id: 'not-judged',
    shortDescription: { text: 'Something was missing that the run needs. This is not a fault of the target.' },
  },
  { id: 'error', shortDescription: { text: 'The runner itself broke. This is not a fault of the target.' } },
];

function ruleOf(check: CheckReport): object {
  const { id, title, endpoint, requirements, provenBy } = check;
  const statements = requirements.map((requirement) => {
    const { section, lane, statement } = requirement;
    const derivation = derivationOf(requirement);
    return `Section ${section}, ${lane}: ${statement}${derivation === undefined ? '' : ` ${derivation}`}`;
  });
  const proofs = provenBy.map(({ does }) => does);
  const sections = [...new Set(requirements.map(({ section }) => `section-${section}`))];
  const lanes = [...new Set(requirements.map(({ lane }) => lane))];
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: statements[0] ?? title },
    help: {
      text: lines([
        ...statements,
        ...(proofs.length === 0 ? [] : ['', 'Proven to catch:', ...proofs.map((does) => `- ${does}`)]),
      ]),
    },
    defaultConfiguration: { level: 'error' },
    properties: { tags: [endpoint, ...lanes, ...sections], precision: 'very-high', 'problem.severity': 'error' },
  };
}

function resultOf(check: CheckReport, ruleIndex: number, includeBodies: boolean): object {
  const { id, title, endpoint, failure } = check;
  const decisive = failure?.exchanges.at(-1);
  const fingerprint = createHash('sha256')
    .update(`${id} ${templateOf(failure?.at ?? '')}`)
    .digest('hex')
    .slice(0, 16);
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: 'error',
    message: { text: messageOf(title, failure) },
    locations: [locationOf(endpoint, failure?.at)],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'agentContract/v1': fingerprint },
    ...(decisive ? exchangeOf(decisive, includeBodies) : {}),
    properties: {
      ...(failure?.at === undefined ? {} : { at: failure.at }),
      curl: failure?.exchanges.map(({ curl }) => curl) ?? [],
    },
  };
}

function baselineStateOf(report: Report, check: CheckReport): object {
  if (!report.baseline) return {};
  const entry = knownEntry(report, check);
  if (!entry) return { baselineState: 'new' };
  return { baselineState: 'unchanged', suppressions: [{ kind: 'external', justification: reasonOf(entry) }] };
}

function messageOf(title: string, failure: FailureReport | undefined): string {
  if (!failure) return title;
  const { more = [] } = failure;
  const rest = more.length === 0 ? '' : ` ${more.length} more of the same check.`;
  // Square brackets in a message would be links to locations.
  return `${title}: ${findingLine(failure)}.${rest}`.replace(/[[\]\\]/g, String.raw`\$&`);
}

/** GitHub requires a file in the repository for each result: the path of the endpoint stands in for it. */
function locationOf(endpoint: CheckReport['endpoint'], at: string | undefined): object {
  const { method, path, title } = Object.hasOwn(endpoints, endpoint)
    ? endpoints[endpoint]
    : { method: '', path: `/${endpoint}`, title: endpoint };
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(path.slice(1)) },
      region: { startLine: 1 },
    },
    logicalLocations: [
      { name: endpoint, fullyQualifiedName: `${method} ${path}${at ?? ''}`, decoratedName: title, kind: 'resource' },
    ],
  };
}

function exchangeOf({ method, url, status, headers, body }: RecordedExchange, includeBodies: boolean): object {
  return {
    webRequest: { method, target: url },
    ...(status === undefined
      ? {}
      : {
          webResponse: {
            statusCode: status,
            headers: { ...headers },
            ...(includeBodies && body !== undefined ? { body: { text: body } } : {}),
          },
        }),
  };
}

const levels: Readonly<Partial<Record<Status, 'note' | 'error'>>> = { 'not-judged': 'note', error: 'error' };

function notificationsOf({ id, status, reason = '', supply }: CheckReport, index: number): object[] {
  const level = levels[status];
  if (level === undefined) return [];
  return [
    {
      level,
      descriptor: { id: status },
      associatedRule: { id, index },
      message: { text: lines([...reason.split('\n'), ...(supply === undefined ? [] : [`Supply ${supply}.`])]) },
    },
  ];
}
