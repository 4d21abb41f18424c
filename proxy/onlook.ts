import type { IncomingMessage } from 'node:http';
import type { Finding } from '../conformance/finding.ts';
import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { Place } from '../conformance/foreign/exchange-of.ts';
import type { Met, Reason } from '../conformance/foreign/met.ts';
import type { Clean } from './clean.ts';
import type { Onlooker, Verdict } from './forward.ts';
import { joined, type RawHeaders } from '../mock/upstream/http/headers.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { createPace, type Pace } from './pace.ts';
import { verdictOn } from './verdict.ts';

type Found = Omit<Finding, 'exchanges'>;

/** One exchange that passed, and what was wrong with its answer alone; or why it was not judged. */
export interface Passed {
  readonly met: Pick<Met, 'method' | 'url' | 'status' | 'sentAt' | 'answeredAt'>;
  readonly found: readonly Found[] | Reason;
}

/** What is done with what was looked at. */
export interface OnlookOptions {
  readonly judge: ForeignJudge;
  /** Answers 502 in place of an answer that breaks the contract: each is judged before it goes on, however long it takes. */
  readonly isStrict: boolean;
  /** Writes down every exchange with the service, judged or not. */
  readonly record?: ((met: Met) => void) | undefined;
  readonly onPassed: (passed: Passed) => void;
  readonly onBroken: (error: unknown) => void;
  readonly clean: Clean;
  /** Default: by the clock of this machine. */
  readonly pace?: Pace;
  /** Begins to time an exchange. Default: by the clock of this machine. */
  readonly timing?: () => Timing;
}

/** When an exchange began, and when it ended: epoch milliseconds. */
export interface Timing {
  readonly sentAt: number;
  readonly answeredAt: () => number;
}

/** Measures the duration by a clock that only goes forward. */
function timingNow(): Timing {
  const [sentAt, began] = [Date.now(), performance.now()];
  return { sentAt, answeredAt: () => sentAt + performance.now() - began };
}

export interface Onlook {
  /** `undefined` where nobody looks on. */
  of(request: IncomingMessage, url: string): Onlooker | undefined;
  /** Judges all that has passed and still waits to be judged. */
  flush(): void;
}

/** That something was there. */
const MARK_BYTES = 1024;
const API = /\/api\/v1\/(?:agents|workspaces)(?:[/?]|$)/;
const HARMLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createOnlook(options: OnlookOptions): Onlook {
  const { judge, isStrict, record, onPassed, onBroken, pace = createPace(), timing = timingNow } = options;
  let ticks = 0;
  const tick = (): number => ++ticks;
  const given: Given = { ...options, pace, tick, safely };

  /** Our own mistake is no client's business. */
  function safely<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      onBroken(error);
      return otherwise;
    }
  }

  function ofOthers(met: Met, begun: number): void {
    onPassed({ met, found: judge.see(met, { n: tick(), begun }) });
  }

  return {
    flush: () => pace.flush(),
    of(request, url) {
      pace.stir();
      const about = { method: request.method ?? 'GET', url, timing: timing() };
      if (!API.test(pathOf(url))) return unlooked(given, about, ofOthers);
      const isLate = !isStrict && pace.isFull;
      if (!isLate) return looking(given, about, request);
      const pass = (met: Met, begun: number): void => missed(given, met, begun);
      return record ? writing(given, about, request) : unlooked(given, about, pass);
    },
  };
}

/** What those need who look at one exchange. */
interface Given extends OnlookOptions {
  readonly pace: Pace;
  /** Counts when exchanges begin and end. */
  readonly tick: () => number;
  readonly safely: <T>(work: () => T, otherwise: T) => T;
}

/** The judge first: whoever writes down what was met needs to know which credentials it holds. */
function judged({ judge, onPassed, record }: Given, met: Met, place: Place): readonly Found[] {
  try {
    const found = judge.see(met, place);
    onPassed({ met, found });
    return typeof found === 'string' ? [] : found;
  } finally {
    record?.(met);
  }
}

/** Nobody has time to judge it. */
function missed({ judge, pace, safely, onPassed, record, tick }: Given, met: Met, begun: number): void {
  const place = { n: tick(), begun };
  // What it may have changed must be known in its turn.
  if (HARMLESS.has(met.method)) judge.miss(met, place);
  else pace.later(() => safely(() => judge.miss(met, place), undefined), MARK_BYTES);
  onPassed({ met, found: 'not-judged' });
  record?.(met);
}

/** Nothing is kept of it, but that it passed. */
function unlooked({ tick, safely }: Given, about: Passing, pass: (met: Met, begun: number) => void): Onlooker {
  const begun = tick();
  const end = (status: number): void => safely(() => pass(bareMet(about, status), begun), undefined);
  return {
    end({ status }) {
      end(status);
      return NOTHING;
    },
    failed: () => end(0),
  };
}

/** Keeps what passes to write it down, and judges nothing. */
function writing(given: Given, about: Passing, request: IncomingMessage): Onlooker {
  const begun = given.tick();
  const buffers = createBodyBuffers(request);
  const end = (status: number, raw: RawHeaders): void =>
    given.safely(() => missed(given, buffers.met(bareMet(about, status), raw), begun), undefined);
  return {
    ...buffers.pieces,
    end({ status, rawHeaders }) {
      end(status, rawHeaders);
      return NOTHING;
    },
    failed: () => end(0, []),
  };
}

/** Keeps what passes, and has it judged: before the answer goes on where there is time. */
function looking(given: Given, about: Passing, request: IncomingMessage): Onlooker {
  const { pace, isStrict, clean, safely, tick } = given;
  const begun = tick();
  const buffers = createBodyBuffers(request);

  function finish(status: number, raw: RawHeaders, isHeld: boolean): readonly Found[] {
    pace.stir();
    const bare = bareMet(about, status);
    const place = { n: tick(), begun };
    const work = (): readonly Found[] => safely(() => judged(given, buffers.met(bare, raw), place), []);
    if (isHeld && (isStrict || pace.hasTime)) return pace.now(work);
    pace.later(work, buffers.size());
    return [];
  }

  return {
    ...buffers.pieces,
    holds: (type) => (isStrict || pace.hasTime) && /json/i.test(type),
    end({ status, rawHeaders }, isHeld) {
      const found = finish(status, rawHeaders, isHeld);
      if (found.length === 0) return NOTHING;
      return verdictOn(
        found.map((one) => ({
          ...one,
          expected: clean.sentence(one.expected),
          actual: clean.sentence(one.actual),
        })),
        joined(rawHeaders),
        isStrict,
      );
    },
    failed: () => void finish(0, [], false),
  };
}

const NOTHING: Verdict = { headers: {} };

/** Without the query, which may name any path. */
const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

interface Passing extends Pick<Met, 'method' | 'url'> {
  readonly timing: Timing;
}

/** What is known of an exchange of which nothing was kept. */
const bareMet = ({ method, url, timing }: Passing, status: number): Met => ({
  method,
  url,
  requestHeaders: {},
  requestBody: undefined,
  status,
  headers: {},
  body: undefined,
  sentAt: timing.sentAt,
  answeredAt: timing.answeredAt(),
  hasAllHeaders: false,
  isRetold: false,
});
