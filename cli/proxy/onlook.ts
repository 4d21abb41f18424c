import type { IncomingMessage } from 'node:http';
import type { Finding } from '../../conformance/finding.ts';
import type { ForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import type { Met, Reason } from '../../conformance/foreign/met.ts';
import { decode, isPacked } from '../../conformance/http/decode.ts';
import type { Onlooker } from './forward.ts';
import { joined } from './headers.ts';
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
  /** Takes secrets out of a sentence. */
  readonly clean: (text: string) => string;
  /** Default: by the clock of this machine. */
  readonly pace?: Pace;
}

export interface Onlook {
  /** `undefined` where nobody looks on. */
  of(request: IncomingMessage, url: URL): Onlooker | undefined;
  /** Judges all that has passed and still waits to be judged. */
  flush(): void;
}

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;
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

  function missed(met: Met, n: number, begun: number): void {
    const work = (): void => safely(() => judge.miss(met, { n, begun }), undefined);
    // What it may have changed must be known in its turn.
    if (HARMLESS.has(met.method)) work();
    else pace.later(work, 0);
    onPassed({ met, found: 'not-judged' });
    record?.(met);
  }

  /** Of what is not of the service nothing is kept, but that it passed. */
  function ofOthers(request: IncomingMessage, url: URL): Onlooker {
    const [sentAt, began] = [Date.now(), performance.now()];
    const pass = (status: number): void =>
      safely(() => {
        const met = bareMet(request, url, { status, sentAt, answeredAt: sentAt + performance.now() - began });
        const found = judge.see(met, { n: ++ticks, begun: ticks });
        onPassed({ met, found });
      }, undefined);
    return {
      request: () => undefined,
      holds: () => false,
      answer: () => undefined,
      end({ status }) {
        pass(status);
        return { headers: {} };
      },
      failed: () => pass(0),
    };
  }

  return {
    flush: () => pace.flush(),
    of(request, url) {
      pace.stir();
      if (!API.test(url.pathname)) return ofOthers(request, url);
      const isLooked = isStrict || !pace.isFull;
      const isKept = isLooked || record !== undefined;
      const [begun, sentAt, began] = [++ticks, Date.now(), performance.now()];
      const [sent, came] = [gathering(MAX_REQUEST), gathering(MAX_ANSWER)];

      const finish = (status: number, raw: Met['headers'], isHeld: boolean): readonly Found[] => {
        pace.stir();
        const n = ++ticks;
        const about = { status, sentAt, answeredAt: sentAt + performance.now() - began };
        const met = (): Met => (isKept ? wholeMet(request, url, about, { sent, came, headers: raw }) : bareMet(request, url, about));
        if (!isLooked) {
          missed(met(), n, begun);
          return [];
        }
        const work = (): readonly Found[] => safely(() => judged(met(), n, begun), []);
        if (isHeld && (isStrict || pace.hasTime)) return pace.now(work);
        pace.later(work, sent.size + came.size);
        return [];
      };

      return {
        request: (chunk) => isKept && sent.add(chunk),
        holds: (_, headers) => isLooked && (isStrict || pace.hasTime) && /json/i.test(headers['content-type'] ?? ''),
        answer: (chunk) => isKept && came.add(chunk),
        end({ status, headers }, isHeld) {
          const found = finish(status, headers, isHeld);
          if (found.length === 0) return { headers: {} };
          return verdictOn(
            found.map((one) => ({ ...one, expected: clean(one.expected), actual: clean(one.actual) })),
            headers,
            isStrict,
          );
        },
        failed: () => void finish(0, {}, false),
      };
    },
  };
}

type About = Pick<Met, 'status' | 'sentAt' | 'answeredAt'>;

/** What is known of a request without having kept anything of it. */
const bareMet = (request: IncomingMessage, url: URL, about: About): Met => ({
  ...about,
  method: request.method ?? 'GET',
  url: url.href,
  requestHeaders: {},
  requestBody: undefined,
  headers: {},
  body: undefined,
  hasAllHeaders: false,
  isRetold: false,
});

interface Whole {
  readonly sent: Gathering;
  readonly came: Gathering;
  readonly headers: Met['headers'];
}

const wholeMet = (request: IncomingMessage, url: URL, about: About, { sent, came, headers }: Whole): Met => {
  const body = sent.bytes();
  return {
    ...bareMet(request, url, about),
    requestHeaders: joined(request.rawHeaders),
    requestBody: body === undefined || body.length === 0 ? undefined : body.toString(),
    headers,
    body: unpacked(came.bytes(), headers['content-encoding']),
    hasAllHeaders: true,
  };
};

interface Gathering {
  add(chunk: Buffer): void;
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
