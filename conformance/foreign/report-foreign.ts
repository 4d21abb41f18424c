import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Check, Missing } from '../check.ts';
import { endpointsOf } from '../history/premises.ts';
import { counted, optional } from '../show.ts';
import { observedProfile } from '../observations/observe.ts';
import { aboutRun, checkReport, NOTHING_SHOWS_IT, verdictOf } from '../report/compose.ts';
import { answersOf, type Shown } from '../report/shown.ts';
import { withCauses } from '../report/causes.ts';
import { recorderWithout } from '../report/recorded.ts';
import { checks as allChecks } from '../checks/index.ts';
import { levelsOf } from '../report/scope.ts';
import { redactReport } from '../report/redact-report.ts';
import { createRedactor, type Secret } from '../report/redact.ts';
import type { CheckReport, Report } from '../report/report.ts';
import { excerptWithout, excerptWithoutSecrets, sentencesWithout } from '../report/without-values.ts';
import type { ForeignJudge } from './judge-foreign.ts';
import { describeLeftOut, reasons } from './foreign-exchange.ts';
import rows from './needs.json';

/** The report on foreign traffic. It holds no credential; `includeBodies` shows values, which may be personal data. */
export function reportForeign(
  judge: ForeignJudge,
  by: { strict: boolean; secrets: readonly Secret[]; sample?: number | undefined; includeBodies?: boolean | undefined },
): Report {
  const { strict, secrets, sample = 1, includeBodies = false } = by;
  const { judged, shown, observations } = judge.conclude();
  const recordWhole = recorderWithout(secrets);
  const record: typeof recordWhole = (excerpt) => {
    const known = excerptWithoutSecrets(excerpt);
    return recordWhole(includeBodies ? known : excerptWithout(known));
  };
  const reports = withCauses(
    judged.map((one) => {
      const { supply: _, ...report } = checkReport(one, [], record);
      return report;
    }),
  );
  const { seen, leftOut, created, baseUrl = 'http://unknown.invalid' } = judge;
  const { text } = createRedactor(secrets);
  const left = leftOut.all().map((one) => ({ ...one, examples: one.examples.map(text) }));
  const { summary, ...verdict } = verdictOf(reports, shown, { requests: seen.count, answers: seen.count }, record);
  const percent = sample < 1 && Number((sample * 100).toPrecision(3));
  // What was remembered before it was concluded and forgotten.
  const parts = Array.from(judge.closed, ([limit, times]) =>
    limit === 'bytes'
      ? `${times} for ${Math.round(judge.full.bytes / 1024 ** 2)} MiB`
      : `${times} for ${judge.full[limit]} ${limit}`,
  );
  const sentences = [
    `${summary} ${counted(seen.count, 'exchange')} judged.`,
    optional`Of the agents, ${percent} in 100 were judged, each with all its requests.`,
    optional`Limits were reached, so that earlier traffic was concluded and forgotten (parts: ${parts.join(', ')}).`,
    parts.length > 0 && 'Nothing is compared across parts.',
    optional`Of ${seen.creations > created.length && seen.creations} creations, the first ${created.length} are listed.`,
    optional`Left out: ${left.map(describeLeftOut).join('; ')}.`,
  ];
  const whole = redactReport(
    {
      ...aboutRun({ baseUrl, strict }),
      seed: 0,
      startedAt: new Date(seen.count > 0 ? seen.from : 0).toISOString(),
      durationMs: Math.max(0, Math.round(seen.to - seen.from)),
      summary: sentences.filter(Boolean).join(' '),
      ...verdict,
      scope: { checks: reports.length, of: allChecks.length },
      conditions: ['Traffic of others: what it does not show is not judged.'],
      levels: levelsOf(reports, allChecks, { showsVersion5: shown.showsVersion5 }),
      checks: reports.map((one) => (one.status === 'not-judged' ? { ...one, ...missingFor(one, shown, judge) } : one)),
      observations,
      observedProfile: observedProfile(observations),
      created,
      requests: seen.count,
      traffic: { judged: seen.count, leftOut: left },
    },
    secrets,
  );
  return includeBodies ? whole : sentencesWithout(whole);
}

/** The traffic that each check needs: the first pattern that fits its id counts. `%s` is the title of its endpoint. */
const needs: readonly { readonly checks: string; readonly needs?: string }[] = rows;

/** What a client would have to do so that a check can be judged, in words after "Supply"; `undefined` if nothing helps. */
export function supplyOf({ id, endpoint }: Pick<Check, 'id' | 'endpoint'>): string | undefined {
  // Traffic never shows which tokens were issued, and which access they give.
  const { needs: need } = needs.find(({ checks }) => new RegExp(checks).test(id)) ?? {};
  return need && `traffic with ${need.replace('%s', endpoints[endpoint].title)}`;
}

const COMPARES = /-keeps-what-was-sent$|-reads-as-answered$/;

/** Why the traffic did not let a check be judged, and which traffic would. */
function missingFor(check: CheckReport, shown: Shown, judge: ForeignJudge): Missing {
  const { id, endpoint, reason = NOTHING_SHOWS_IT } = check;
  const supply = supplyOf(check);
  if (supply === undefined)
    return { reason: 'The traffic does not show which tokens were issued, or which access they give.' };
  for (const needed of endpointsOf(id, endpoint)) {
    const why = whyNothing(needed, shown, judge);
    if (why !== undefined) return { reason: why, supply };
  }
  const { seen, countCallers: callers, closed, leftOut } = judge;
  const compared = shown.uncompared.map(([why, times]) => `${times} ${why}`).join(', ');
  // Where nearly every request has other credentials, no two of them can be compared.
  const areMany = callers >= 2 && 2 * callers >= seen.count;
  const left = leftOut.of('').map(([why, times]) => `${times} ${reasons[why]}`);
  const sentences = [
    optional`Of the agents that were sent, ${COMPARES.test(id) && compared}: nothing says what is kept of these.`,
    optional`${areMany && counted(seen.count, 'request')} had ${callers} different credentials, and only what one caller sees can be compared.`,
    closed.size > 0 ? 'Limits were reached, and nothing is compared across the parts.' : '',
    optional`Some exchanges were left out: ${left.join(', ')}.`,
  ].filter(Boolean);
  if (reason !== NOTHING_SHOWS_IT || sentences.length === 0) sentences.unshift(reason);
  return { reason: sentences.join(' '), supply };
}

/** Why an endpoint shows nothing at all; `undefined` if it served something. */
function whyNothing(endpoint: EndpointId, shown: Shown, { leftOut }: ForeignJudge): string | undefined {
  const { title, method } = endpoints[endpoint];
  const statuses = answersOf(shown, endpoint);
  if (statuses.some(({ status }) => status.startsWith('2'))) return undefined;
  const left = leftOut.of(`${method} ${endpoint}`).map(([reason, times]) => `${times} ${reasons[reason]}`);
  if (statuses.length === 0 && left.length === 0) return `No request of the traffic was ${title}.`;
  const words = statuses.map(({ status, times }) => `${counted(times, 'answer')} had the status ${status}`);
  return `No request of ${title} shows anything: ${[...words, ...left].join(', ')}.`;
}
