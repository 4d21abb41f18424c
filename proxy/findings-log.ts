import { createColors } from 'picocolors';
import { templateOf } from '../spec/json-pointer.ts';
import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import { visible } from '../conformance/report/redact.ts';
import type { Clean } from './clean.ts';
import { parseUrl } from '../text/parse-url.ts';

type Found = Omit<Finding, 'exchanges'>;

/** A finding, and how often it occurred. */
export interface Cause {
  readonly says: string;
  readonly times: number;
}

/** Where findings are printed. */
export interface Terminal {
  readonly write: (text: string) => unknown;
  readonly hasColor: boolean;
}

/** The pause before the judge concludes again: at least so many milliseconds, and so many times what it took last. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 100;
const MAX_CAUSES = 500;
const MAX_LINE = 300;

/** Prints each finding once, and at the end how often each occurred. */
export function createFindingsLog(judge: ForeignJudge, { write, hasColor }: Terminal, clean: Clean) {
  const colors = createColors(hasColor);
  const causes = new Map<string, { times: number; readonly says: string }>();
  let timer: NodeJS.Timeout | undefined;
  let pause = PAUSE_MS;

  function print(key: string, { expected, actual, at }: Found, asked: string): void {
    const known = causes.get(key);
    if (known) return void known.times++;
    if (causes.size >= MAX_CAUSES) return;
    const place = at === undefined || at === '' ? '' : ` at ${at}`;
    const found = clean.sentence(`${place}: expected ${expected}; met ${actual}`);
    const says = visible(clean.text(asked) + found).slice(0, MAX_LINE);
    causes.set(key, { times: 1, says });
    write(`${colors.red('✗')} ${says}\n`);
  }

  function conclude(): void {
    timer = undefined;
    const began = performance.now();
    for (const one of judge.conclude().judged) {
      // Findings on a single answer are printed when it passes.
      if (!('verdict' in one) || one.check.id.endsWith('-answer-shape')) continue;
      for (const finding of one.verdict.findings) {
        const key = `${one.check.id} ${templateOf(finding.at ?? '')}`;
        const { method = '', url = '' } = finding.exchanges.at(-1)?.request ?? {};
        if (!causes.has(key)) print(key, finding, `${one.check.title}: ${method} ${pathOf(url)}`);
      }
    }
    pause = Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_FACTOR);
  }

  return {
    /** All findings so far, each once, the most frequent first. */
    causes: (): readonly Cause[] =>
      [...causes.values()]
        .map(({ says, times }) => ({ says, times }))
        .toSorted((one, other) => other.times - one.times),
    /** Adds the findings of one answer. */
    add(found: readonly Found[], { request: { method, url }, answer }: HttpExchange): void {
      for (const one of found)
        print(
          `${one.requirement} ${templateOf(one.at ?? '')} ${pathOf(url).replace(/[^/]{9,}/g, '')}`,
          one,
          `${method} ${pathOf(url)} ${answer?.status ?? 0}`,
        );
    },
    /** Says that there is new traffic: now and then the log adds findings that several exchanges show together. */
    trafficPassed(): void {
      timer ??= setTimeout(conclude, pause);
      timer.unref();
    },
    end(): void {
      clearTimeout(timer);
      conclude();
      clearTimeout(timer);
      for (const { times, says } of causes.values()) if (times > 1) write(`${times} times: ${says}\n`);
    },
  };
}

const pathOf = (url: string): string => (parseUrl(url)?.pathname ?? '').slice(0, 120);
