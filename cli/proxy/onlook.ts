import type { IncomingMessage } from 'node:http';
import type { Finding } from '../../conformance/finding.ts';
import type { ForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import type { Met, Reason } from '../../conformance/foreign/met.ts';
import { decode, isPacked } from '../../conformance/http/decode.ts';
import type { Clean } from './clean.ts';
import type { Onlooker, Verdict } from './forward.ts';
import { joined, type RawHeaders } from '../../mock/upstream/headers.ts';
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
}

export interface Onlook {
  /** `undefined` where nobody looks on. */
  of(request: IncomingMessage, url: string): Onlooker | undefined;
  /** Judges all that has passed and still waits to be judged. */
  flush(): void;
}

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;
/** That something was there. */
const MARK_BYTES = 1024;
const API = /\/api\/v1\/(?:agents|workspaces)(?:[/?]|$)/;
const HARMLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createOnlook(options: OnlookOptions): Onlook {
  const { judge, isStrict, record, onPassed, onBroken, clean, pace = createPace() } = options;
  let ticks = 0;

  /** Our own mistake is no client's business. */
  function safely<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      onBroken(error);
      return otherwise;
    }
  }

  /** The judge first: whoever writes down what was met needs to know which credentials it holds. */
  function judged(met: Met, n: number, begun: number): readonly Found[] {
    try {
      const found = judge.see(met, { n, begun });
      onPassed({ met, found });
      return typeof found === 'string' ? [] : found;
    } finally {
      record?.(met);
    }
  }

  /** Nothing is kept of it, but that it passed. */
  function unlooked(about: Passing, pass: (met: Met, begun: number) => void): Onlooker {
    const begun = ++ticks;
    const end = (status: number): void => safely(() => pass(bareMet(about, status), begun), undefined);
    return {
      end({ status }) {
        end(status);
        return NOTHING;
      },
      failed: () => end(0),
    };
  }

  function ofOthers(met: Met, begun: number): void {
    onPassed({ met, found: judge.see(met, { n: ++ticks, begun }) });
  }

  function missed(met: Met, begun: number): void {
    const n = ++ticks;
    // What it may have changed must be known in its turn.
    if (HARMLESS.has(met.method)) judge.miss(met, { n, begun });
    else pace.later(() => safely(() => judge.miss(met, { n, begun }), undefined), MARK_BYTES);
    onPassed({ met, found: 'not-judged' });
    record?.(met);
  }

  /** Keeps what passes, and has it judged: before the answer goes on where there is time. */
  function looking(about: Passing, request: IncomingMessage, isLate: boolean): Onlooker {
    const begun = ++ticks;
    const [sent, came] = [gathering(MAX_REQUEST), gathering(MAX_ANSWER)];

    function finish(status: number, raw: RawHeaders, isHeld: boolean): readonly Found[] {
      pace.stir();
      const bare = bareMet(about, status);
      const met = (): Met => wholeMet(bare, request, { sent, came, raw });
      if (isLate) {
        safely(() => missed(met(), begun), undefined);
        return [];
      }
      const n = ++ticks;
      const work = (): readonly Found[] => safely(() => judged(met(), n, begun), []);
      if (isHeld && (isStrict || pace.hasTime)) return pace.now(work);
      pace.later(work, sent.size + came.size);
      return [];
    }

    return {
      request: sent.add,
      answer: came.add,
      holds: (type) => !isLate && (isStrict || pace.hasTime) && /json/i.test(type),
      end({ status, rawHeaders }, isHeld) {
        const found = finish(status, rawHeaders, isHeld);
        if (found.length === 0) return NOTHING;
        return verdictOn(
          found.map((one) => ({ ...one, expected: clean.sentence(one.expected), actual: clean.sentence(one.actual) })),
          joined(rawHeaders),
          isStrict,
        );
      },
      failed: () => void finish(0, [], false),
    };
  }

  return {
    flush: () => pace.flush(),
    of(request, url) {
      pace.stir();
      const about = { method: request.method ?? 'GET', url, sentAt: Date.now(), began: performance.now() };
      if (!API.test(pathOf(url))) return unlooked(about, ofOthers);
      const isLate = !isStrict && pace.isFull;
      return isLate && !record ? unlooked(about, missed) : looking(about, request, isLate);
    },
  };
}

const NOTHING: Verdict = { headers: {} };

/** Without the query, which may name any path. */
const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

interface Passing extends Pick<Met, 'method' | 'url' | 'sentAt'> {
  /** By the clock that only goes forward. */
  readonly began: number;
}

/** What is known of an exchange of which nothing was kept. */
const bareMet = ({ method, url, sentAt, began }: Passing, status: number): Met => ({
  method,
  url,
  requestHeaders: {},
  requestBody: undefined,
  status,
  headers: {},
  body: undefined,
  sentAt,
  answeredAt: sentAt + performance.now() - began,
  hasAllHeaders: false,
  isRetold: false,
});

interface Whole {
  readonly sent: Gathering;
  readonly came: Gathering;
  readonly raw: RawHeaders;
}

const wholeMet = (bare: Met, request: IncomingMessage, { sent, came, raw }: Whole): Met => {
  const [headers, body] = [joined(raw), sent.bytes()];
  return {
    ...bare,
    requestHeaders: joined(request.rawHeaders),
    requestBody: body === undefined || body.length === 0 ? undefined : body.toString(),
    headers,
    body: unpacked(came.bytes(), headers['content-encoding']),
    hasAllHeaders: true,
  };
};

interface Gathering {
  readonly add: (chunk: Buffer) => void;
  /** `undefined` where there is more than is kept. */
  bytes(): Buffer | undefined;
  /** In memory. */
  readonly size: number;
}

function gathering(most: number): Gathering {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > most) chunks = [];
      else chunks.push(chunk);
    },
    bytes: () => (size > most ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
    get size() {
      return size > most ? 0 : size;
    },
  };
}

/** `undefined` where nobody can read it. */
function unpacked(bytes: Buffer | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const decoded = decode(bytes, encoding, MAX_ANSWER);
  return isPacked(decoded) ? undefined : decoded;
}
