import type { IncomingMessage } from 'node:http';
import type { Finding } from '../conformance/finding.ts';
import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { Ticks } from '../conformance/foreign/exchange-of.ts';
import type { ForeignExchange, Reason } from '../conformance/foreign/foreign-exchange.ts';
import type { Clean } from './clean.ts';
import type { Changes, Inspection } from './forward.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { createBacklog, type Backlog } from './backlog.ts';
import { changesFor } from './changes.ts';

type Found = Omit<Finding, 'exchanges'>;

/** One exchange, with the findings on its answer alone or the reason why it was not judged. */
export interface Passed {
  readonly exchange: HttpExchange;
  readonly found: readonly Found[] | Reason;
}

export interface InspectorOptions {
  readonly judge: ForeignJudge;
  /** Replaces an answer that breaks the contract with a 502. Each answer then waits for its verdict, within {@link GATE}. */
  readonly isStrict: boolean;
  /** An answer was not judged within the gate. @returns whether to refuse it */
  readonly onUnjudged?: (() => boolean) | undefined;
  /** Records every exchange with the service, judged or not, and its place. */
  readonly record?: ((exchange: ForeignExchange, place: Ticks) => void) | undefined;
  readonly onPassed: (passed: Passed) => void;
  readonly onBroken: (error: unknown) => void;
  readonly clean: Clean;
  readonly backlog?: Backlog;
  /** Begins to time an exchange. Default: with the system clock. */
  readonly timing?: () => Timing;
}

/** When an exchange began, and when it ended: epoch milliseconds. */
export interface Timing {
  readonly sentAt: number;
  readonly answeredAt: () => number;
}

/** Measures the duration with a monotonic clock. */
function timingNow(): Timing {
  const [sentAt, began] = [Date.now(), performance.now()];
  return { sentAt, answeredAt: () => sentAt + performance.now() - began };
}

export type Inspector = ReturnType<typeof createInspector>;

/** The bounds of an answer that must wait for its verdict, and of one that may. */
export const GATE = { mostBytes: 8 * 1024 * 1024, longestMs: 10_000 };
const GLANCE = { mostBytes: 1024 * 1024, longestMs: 200 };

/** The memory of an exchange in the backlog that is not to be judged. */
const SKIPPED_BYTES = 1024;
const API = /\/api\/v1\/(?:agents|workspaces)(?:[/?]|$)/;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createInspector(options: InspectorOptions) {
  const { judge, isStrict, onUnjudged, record, onPassed, onBroken, clean } = options;
  const { backlog = createBacklog(), timing = timingNow } = options;
  /** Counts when exchanges begin and end. */
  let ticks = 0;

  /** An error of the judge must not reach a client. */
  function safely<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      onBroken(error);
      return otherwise;
    }
  }

  /** Judges an exchange before it is recorded, since the recorder must know its credentials. */
  function judgeAndRecord(exchange: ForeignExchange, place: Ticks): readonly Found[] {
    try {
      const found = judge.see(exchange, place);
      onPassed({ exchange, found });
      if (typeof found === 'string') return [];
      return found;
    } finally {
      record?.(exchange, place);
    }
  }

  /** Reports an exchange with another path. */
  function noteOther(exchange: ForeignExchange, place: Ticks): void {
    onPassed({ exchange, found: judge.see(exchange, place) });
  }

  /** Reports an exchange that the proxy has no time to judge. */
  function skip(exchange: ForeignExchange, place: Ticks): void {
    // A request that may have changed data is noted in its order.
    if (SAFE_METHODS.has(exchange.request.method)) judge.miss(exchange, place);
    else backlog.add(() => safely(() => judge.miss(exchange, place), undefined), SKIPPED_BYTES);
    onPassed({ exchange, found: 'not-judged' });
    record?.(exchange, place);
  }

  /** Judges nothing, and keeps only status and times, or, of a `request` that is recorded, headers and bodies too. */
  function passOn(about: Passing, pass: typeof skip, request?: IncomingMessage): Inspection {
    const begun = ++ticks;
    const buffers = request && createBodyBuffers(request);
    const end = (status: number, raw: RawHeaders): void => {
      const bare = bareExchange(about, status);
      safely(() => pass(buffers?.fill(bare, raw) ?? bare, { n: ++ticks, begun }), undefined);
    };
    return {
      ...buffers?.pieces,
      end({ status, rawHeaders }) {
        end(status, rawHeaders);
        return NOTHING;
      },
      failed: () => end(0, []),
    };
  }

  /** Keeps the bodies, and judges them: before the answer is forwarded if there is time, and later otherwise. */
  function judgeIt(about: Passing, request: IncomingMessage): Inspection {
    const begun = ++ticks;
    const buffers = createBodyBuffers(request);

    function finish(status: number, raw: RawHeaders, isHeld: boolean): readonly Found[] {
      backlog.noteTraffic();
      const bare = bareExchange(about, status);
      const place = { n: ++ticks, begun };
      const work = (): readonly Found[] => safely(() => judgeAndRecord(buffers.fill(bare, raw), place), []);
      if (isHeld && (isStrict || backlog.hasTime)) return backlog.runNow(work);
      backlog.add(work, buffers.size());
      return [];
    }

    return {
      ...buffers.pieces,
      holds(type) {
        if (isStrict) return { ...GATE, giveUp: () => (onUnjudged?.() === true ? unjudged : undefined) };
        if (backlog.hasTime && /json/i.test(type)) return GLANCE;
        return undefined;
      },
      end({ status, rawHeaders }, isHeld) {
        const found = finish(status, rawHeaders, isHeld);
        if (found.length === 0) return NOTHING;
        return safely(() => {
          const clear = found.map(({ at, expected, actual }) => ({
            at,
            expected: clean.sentence(expected),
            actual: clean.sentence(actual),
          }));
          return changesFor(clear, joinHeaders(rawHeaders), isStrict);
        }, NOTHING);
      },
      failed: () => void finish(0, [], false),
    };
  }

  return {
    /** Judges the backlog. */
    flush: (): void => backlog.flush(),
    inspect(request: IncomingMessage, url: string): Inspection | undefined {
      backlog.noteTraffic();
      const about = { method: request.method ?? 'GET', url, timing: timing() };
      const [path = ''] = url.split('?', 1);
      if (!API.test(path)) return passOn(about, noteOther);
      if (isStrict || !backlog.isFull) return judgeIt(about, request);
      return passOn(about, skip, record && request);
    },
  };
}

const NOTHING: Changes = { headers: {} };

const unjudged = {
  status: 502,
  body: 'The answer of the upstream took too long, or is too large, to be judged, and --unjudged refuse holds it back.',
};

interface Passing {
  readonly method: string;
  readonly url: string;
  readonly timing: Timing;
}

/** An exchange without headers and bodies. A status of 0 stands for no answer. */
function bareExchange({ method, url, timing }: Passing, status: number): ForeignExchange {
  return {
    request: { method, url, headers: {} },
    answer: status === 0 ? undefined : { status, headers: {} },
    sentAt: timing.sentAt,
    answeredAt: timing.answeredAt(),
    hasAllHeaders: false,
  };
}
