import type { IncomingMessage } from 'node:http';
import type { ForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import type { Met } from '../../conformance/foreign/met.ts';
import type { Finding } from '../../conformance/finding.ts';
import { toAscii } from '../../mock/wording/to-ascii.ts';
import { decoded } from '../../mock/upstream/decoded.ts';
import { joined } from '../../mock/upstream/headers.ts';
import type { Onlooker, Verdict } from './forward.ts';

type Found = Omit<Finding, 'exchanges'>;

/** What is done with what was looked at. */
export interface OnlookOptions {
  readonly judge: ForeignJudge;
  /** Answers 502 in place of an answer that breaks the contract. */
  readonly isStrict: boolean;
  /** Sees every exchange with the service, judged or not. */
  readonly onMet: (met: Met) => void;
  readonly onFound: (found: readonly Found[], met: Met) => void;
  readonly onBroken: (error: unknown) => void;
  /** Takes secrets out of a sentence. */
  readonly clean: (text: string) => string;
}

/** How much was judged of what could be. */
export interface Onlook {
  of(request: IncomingMessage, url: URL): Onlooker;
  /** Exchanges that nobody had time to judge. */
  readonly missed: number;
}

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;
const API = /\/api\/v1\/(?:agents|workspaces)(?:[/?]|$)/;
const MOST_CHARACTERS = 2_000;
/** Of each span so much may go into judging; both in milliseconds. */
const [SPAN_MS, BUDGET_MS] = [10_000, 1_000];

/** Keeps judging from slowing down what passes: a burst is judged whole, of what goes on and on a sample. */
function createBudget(): { may(): boolean; spend(ms: number): void } {
  let [began, spent] = [performance.now(), 0];
  return {
    may() {
      if (performance.now() - began > SPAN_MS) [began, spent] = [performance.now(), 0];
      return spent < BUDGET_MS;
    },
    spend: (ms) => void (spent += ms),
  };
}

export function createOnlook(options: OnlookOptions): Onlook {
  const { judge, isStrict, onMet, onFound, onBroken, clean } = options;
  const budget = createBudget();
  let ticks = 0;
  let missed = 0;

  /** The judge first: whoever writes down what was met needs to know which credentials it holds. */
  function look(met: Met, begun: number, isLooked: boolean): readonly Found[] {
    try {
      return judged(met, begun, isLooked);
    } finally {
      if (API.test(new URL(met.url).pathname)) onMet(met);
    }
  }

  function judged(met: Met, begun: number, isLooked: boolean): readonly Found[] {
    const n = ++ticks;
    if (!isLooked) {
      missed++;
      judge.miss(met, { n, begun });
      return [];
    }
    const began = performance.now();
    const found = judge.see(met, { n, begun });
    budget.spend(performance.now() - began);
    if (typeof found === 'string') return [];
    if (found.length > 0) onFound(found, met);
    return found;
  }

  /** Our own mistake is no client's business. */
  function safely<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      onBroken(error);
      return otherwise;
    }
  }

  return {
    of(request, url) {
      const requestHeaders = joined(request.rawHeaders);
      const isJudged = API.test(url.pathname);
      const isLooked = !isJudged || budget.may();
      const [begun, sentAt] = [++ticks, Date.now()];
      const began = performance.now();
      const [sent, came] = [gathering(MAX_REQUEST), gathering(MAX_ANSWER)];
      const met = (status: number, headers: Met['headers']): Met => ({
        method: request.method ?? 'GET',
        url: url.href,
        requestHeaders,
        requestBody: sent.bytes()?.length === 0 ? undefined : sent.bytes()?.toString(),
        status,
        headers,
        body: decoded(came.bytes(), headers['content-encoding'], MAX_ANSWER),
        sentAt,
        answeredAt: sentAt + performance.now() - began,
        hasAllHeaders: true,
        isRetold: false,
      });
      return {
        request: (chunk) => isJudged && sent.add(chunk),
        holds: (_, headers) => isJudged && isLooked && /json/i.test(headers['content-type'] ?? ''),
        answer: (chunk) => isJudged && came.add(chunk),
        end: ({ status, headers }, isHeld) => {
          const found = safely(() => look(met(status, headers), begun, isLooked), []);
          if (found.length === 0 || !isHeld) return { headers: {} };
          return verdictOn(
            found.map((one) => ({ ...one, expected: clean(one.expected), actual: clean(one.actual) })),
            headers,
            isStrict,
          );
        },
        failed: () => safely(() => void look(met(0, {}), begun, isLooked), undefined),
      };
    },
    get missed() {
      return missed;
    },
  };
}

interface Gathering {
  add(chunk: Buffer): void;
  /** `undefined` where there is more than is kept. */
  bytes(): Buffer | undefined;
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
    bytes: () => (size > most ? undefined : Buffer.concat(chunks)),
  };
}

/** In the form of Prism's `sl-violations`, beside what the upstream said itself. */
function verdictOn(found: readonly Found[], headers: Met['headers'], isStrict: boolean): Verdict {
  const items = found.map(({ at = '', expected, actual }) => ({
    location: ['response', 'body', ...at.split('/').slice(1)],
    severity: 'Error',
    code: 'contract',
    message: `Expected ${expected}; met ${actual}.`,
  }));
  const value = bounded([...itemsIn(headers['sl-violations']), ...items]);
  const body = JSON.stringify({
    error: 'The answer of the upstream breaks the contract.',
    findings: items.slice(0, 20),
  });
  return { headers: { 'sl-violations': value }, ...(isStrict ? { instead: { status: 502, body } } : {}) };
}

function itemsIn(header = '[]'): readonly unknown[] {
  try {
    const items: unknown = JSON.parse(header);
    return Array.isArray(items) ? (items as unknown[]) : [];
  } catch {
    return [];
  }
}

function bounded(items: readonly unknown[]): string {
  for (let kept = items; ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const text = toAscii(JSON.stringify(kept));
    if (text.length <= MOST_CHARACTERS || kept.length === 0) return text;
  }
}
