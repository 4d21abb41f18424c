import { checks } from '../conformance/checks/index.ts';
import type { Finding } from '../conformance/finding.ts';
import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { visible } from '../text/visible.ts';
import { templateOf } from '../spec/json-pointer.ts';
import { parseUrl } from '../text/parse-url.ts';
import type { Clean } from './clean.ts';

/** The first finding of its kind, without secrets. */
export type Found = ReturnType<typeof foundOf>;

/** The pause before the judge concludes again: at least so many milliseconds, and so many times what it took last. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 20;
const MAX_CAUSES = 500;
const MAX_LINE = 300;
const MAX_TEXT = 500;

const shapeChecks = new Map(
  checks
    .filter(({ id }) => id.endsWith('-answer-shape'))
    .flatMap(({ id, verifies }) => verifies.map((requirement) => [requirement, id] as const)),
);

/** Reports each finding once, and counts how often it occurred. */
export function createFindingsLog(judge: ForeignJudge, clean: Clean, onFound?: (found: Found) => void) {
  const causes = new Map<string, { times: number; readonly says: string }>();
  const counts: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;
  let pause = PAUSE_MS;

  function note(key: string, check: string, finding: Omit<Finding, 'exchanges'>, shown: Shown, asked: string): void {
    counts[check] = (counts[check] ?? 0) + 1;
    const known = causes.get(key);
    if (known) return void known.times++;
    if (causes.size >= MAX_CAUSES) return;
    const { expected, actual, at } = finding;
    const place = at === undefined || at === '' ? '' : ` at ${at}`;
    const sentence = clean.sentence(`${place}: expected ${expected}; met ${actual}`);
    const says = visible(clean.text(asked) + sentence).slice(0, MAX_LINE);
    causes.set(key, { times: 1, says });
    const text = (from: string): string => visible(clean.text(from)).slice(0, MAX_TEXT);
    onFound?.(foundOf(check, finding, shown, text, says));
  }

  function conclude(): void {
    clearTimeout(timer);
    timer = undefined;
    const began = performance.now();
    for (const one of judge.conclude().judged) {
      // Findings on a single answer are reported when it passes.
      if (!('verdict' in one) || one.check.id.endsWith('-answer-shape')) continue;
      for (const finding of one.verdict.findings) {
        const key = `${one.check.id} ${templateOf(finding.at ?? '')}`;
        const { request, status = 0 } = finding.exchanges.at(-1) ?? {};
        const shown = shownOf(request, status, judge.seen.to);
        if (!causes.has(key))
          note(key, one.check.id, finding, shown, `${one.check.title}: ${shown.method} ${shown.path}`);
      }
    }
    pause = Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_FACTOR);
  }

  return {
    counts,
    repeated: (): readonly string[] =>
      Array.from(causes.values(), ({ says, times }) => (times > 1 ? `${times} times: ${says}` : '')).filter(Boolean),
    /** Adds the findings of one answer. Soon the log adds those that several exchanges show together. */
    add(found: readonly Omit<Finding, 'exchanges'>[], { request, answer, sentAt }: HttpExchange): void {
      timer ??= setTimeout(conclude, pause).unref();
      for (const one of found) {
        const shown = shownOf(request, answer?.status ?? 0, sentAt);
        const check = shapeChecks.get(one.requirement ?? ('' as never)) ?? '';
        const key = `${one.requirement} ${templateOf(one.at ?? '')} ${shown.path.replace(/[^/]{9,}/g, '')}`;
        note(key, check, one, shown, `${shown.method} ${shown.path} ${shown.status}`);
      }
    },
    /** Adds the findings that several exchanges show together. */
    conclude,
  };
}

function foundOf(
  check: string,
  { requirement, at, expected, actual }: Omit<Finding, 'exchanges'>,
  { method, path, status, traceparent, sentAt }: Shown,
  text: (from: string) => string,
  says: string,
) {
  return {
    check,
    requirement,
    method: text(method),
    path: text(path),
    status,
    at: at && text(at),
    expected: text(expected),
    actual: text(actual),
    /** The header of the request that shows it, with which the user's tracing finds it. */
    traceparent: traceparent && text(traceparent),
    time: new Date(sentAt).toISOString(),
    says,
  };
}

type Shown = ReturnType<typeof shownOf>;

function shownOf(request: HttpExchange['request'] | undefined, status: number, sentAt: number) {
  const { method = '', url = '', headers = {} } = request ?? {};
  const path = (parseUrl(url)?.pathname ?? '').slice(0, 120);
  return { method, path, status, traceparent: headers['traceparent'], sentAt };
}
