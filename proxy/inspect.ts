import type { IncomingMessage } from 'node:http';
import type { Finding } from '../conformance/finding.ts';
import { createBodyBuffer } from '../http/body.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { violationsHeader } from '../mock/wire/sendable.ts';
import { parseJson } from '../text/json.ts';
import { hasBody, type Changes, type Inspection } from './forward.ts';
import { MOST, type Passed } from './passed.ts';
import { createShare, type Share } from './share.ts';

/** What is wrong with an answer, without secrets. */
export type Wrong = Pick<Finding, 'at' | 'expected' | 'actual'>;

/** Reads the bodies of what it is given at once: afterwards their memory is used again. */
export interface Judging {
  see(passed: Passed): void;
  /** Resolves with what is wrong with the answer alone. */
  verdictOn(passed: Passed): Promise<readonly Wrong[]>;
  /** Counts an exchange that is neither judged nor recorded. */
  skip(why: 'sampled' | 'not-judged'): void;
}

export interface InspectorOptions {
  readonly judging: Judging;
  /** What becomes of a wrong answer. Unless it passes as it came, each answer waits for its verdict, within {@link GATE}. */
  readonly wrong: 'passes' | 'is-marked' | 'is-refused';
  /** Whether an answer is refused that was not judged within the gate. Otherwise it passes. */
  readonly refusesUnjudged?: boolean | undefined;
  readonly isRecording?: boolean | undefined;
  /** Default: all is judged. */
  readonly share?: Share | undefined;
  /** Begins to time an exchange. Default: with the system clock. */
  readonly timing?: (() => Timing) | undefined;
}

type Timing = ReturnType<typeof timingNow>;

function timingNow() {
  const [sentAt, began] = [Date.now(), performance.now()];
  return { sentAt, answeredAt: () => sentAt + performance.now() - began };
}

export type Inspector = ReturnType<typeof createInspector>;

export const GATE = { mostBytes: MOST.answer, longestMs: 10_000 };

const API = /\/api\/v1\/(?:agents|workspaces)(?:[/?]|$)/;

/** Keeps what passes, and hands it to the judge, who is elsewhere: forwarding waits for nothing but what it was told to. */
export function createInspector(options: InspectorOptions) {
  const { judging, wrong, refusesUnjudged, isRecording = false, share = createShare(), timing = timingNow } = options;
  /** Of answers that were not judged within the gate. */
  const counts = { unjudged: 0 };
  /** Memory of bodies that were judged. */
  const spare: Buffer[] = [];
  let ticks = 0;

  /** Keeps an exchange, or, with another path than the service's, what the judge counts it by. */
  function keep(request: IncomingMessage, url: string, isWhole: boolean, isJudged: boolean): Inspection {
    const { method = 'GET', rawHeaders: sent } = request;
    const { sentAt, answeredAt } = timing();
    const begun = ++ticks;
    const question = isWhole && hasBody(request) ? createBodyBuffer(MOST.request) : undefined;
    const answer = isWhole ? createCopy(spare, MOST.answer) : undefined;
    const passed = (status: number, came: RawHeaders, waits: boolean): Passed => ({
      method,
      url,
      sentAt,
      answeredAt: answeredAt(),
      begun,
      n: ++ticks,
      status,
      sent: isWhole ? sent : [],
      came: isWhole ? came : [],
      request: question?.pieces,
      answer: answer?.pieces,
      isWhole,
      isJudged,
      begins: share.takeBegin(),
      waits,
    });
    return {
      request: question?.add,
      answer: answer?.add,
      holds() {
        if (wrong === 'passes' || !isWhole || !isJudged) return undefined;
        return { ...GATE, giveUp };
      },
      end({ status, rawHeaders }, isHeld) {
        const ended = passed(status, rawHeaders, isHeld);
        const verdict = isHeld && judging.verdictOn(ended);
        if (!verdict) judging.see(ended);
        answer?.free();
        if (!verdict) return { headers: {} };
        return verdict.then((found) => changesFor(found, rawHeaders, wrong === 'is-refused'));
      },
      failed: () => judging.see(passed(0, [], false)),
    };
  }

  function giveUp(): Changes['instead'] {
    counts.unjudged++;
    return refusesUnjudged ? UNJUDGED : undefined;
  }

  return {
    counts,
    inspect(request: IncomingMessage, url: string): Inspection | undefined {
      const [path = ''] = url.split('?', 1);
      if (!API.test(path)) return keep(request, url, false, true);
      const chosen = wrong === 'passes' ? share.of(path) : 'judged';
      if (chosen !== 'judged') judging.skip(chosen);
      if (chosen !== 'judged' && !isRecording) return undefined;
      return keep(request, url, true, chosen === 'judged');
    },
  };
}

const [USUAL, LARGE, MOST_SPARE] = [64 * 1024, 1024 * 1024, 64];

/**
 * Copies the pieces of a body into memory that is used again; it is shared, so that whoever keeps bytes of it makes a copy.
 * Pieces that are kept until their answer ends make the engine collect memory ten times a second, in threads that nobody gave
 * way to.
 */
function createCopy(spare: Buffer[], most: number) {
  let held = spare.pop() ?? Buffer.from(new SharedArrayBuffer(USUAL));
  let size = 0;
  return {
    add: (piece: Uint8Array): void => {
      const end = size + piece.byteLength;
      if (end > held.length && end <= most) {
        const before = held.subarray(0, size);
        held = Buffer.from(new SharedArrayBuffer(Math.min(most, 2 * end)));
        if (size > 0) held.fill(before, 0, size);
      }
      if (end <= held.length && end > size) held.fill(piece, size, end);
      size = end;
    },
    /** They are good until it is freed; `undefined` if there were too many. */
    get pieces(): readonly Uint8Array[] | undefined {
      if (size > most) return undefined;
      return [held.subarray(0, size)];
    },
    free(): void {
      if (held.length <= LARGE && spare.length < MOST_SPARE) spare.push(held);
    },
  };
}

const UNJUDGED = {
  status: 502,
  body: 'The answer of the upstream took too long, or is too large, to be judged, and --unjudged refuse holds it back.',
};

/** The header `sl-violations` in Prism's form, with the upstream's own entries first; and a 502, if the answer is refused. */
export function changesFor(found: readonly Wrong[], raw: RawHeaders, isRefused: boolean): Changes {
  if (found.length === 0) return { headers: {} };
  const items = found.map(({ at = '', expected, actual }) => ({
    location: ['response', 'body', ...at.split('/').slice(1)],
    severity: 'Error',
    code: 'contract',
    message: `Expected ${expected}; met ${actual}.`,
  }));
  const before = [parseJson(joinHeaders(raw)['sl-violations'])].filter(Array.isArray).flat();
  const headers = { 'sl-violations': violationsHeader([...before, ...items], 2_000) };
  if (!isRefused) return { headers };
  const error = 'The answer of the upstream breaks the contract.';
  return { headers, instead: { status: 502, body: JSON.stringify({ error, findings: items.slice(0, 20) }) } };
}
