import { endpoints } from '../../spec/index.ts';
import type { Check, Verdict } from '../check.ts';
import type { JudgedBy } from '../history/facts/facts.ts';
import { createJudgement } from '../history/judgement.ts';
import type { Answer, Answered, Exchange } from '../http/exchange.ts';
import { createAnswerReader } from '../probes/api/answer.ts';

type Settable = 'n' | 'begun' | 'endpoint' | 'agentId' | 'method' | 'caller' | 'open' | 'sent' | 'twin' | 'differs';

/** The parts of an exchange that a test sets. By default it is a list. */
export interface SampleExchange extends Partial<Pick<Exchange, Settable>> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly answer?: Partial<Answer>;
  /** No answer came. */
  readonly isSilent?: boolean;
  /** Epoch milliseconds. */
  readonly at?: number;
}

const readAnswer = createAnswerReader();

/** Used by tests only: an answered exchange, by default an accepted list. */
export function sampleExchange(sample: SampleExchange): Answered {
  const { n = 2, endpoint = 'list-results', status = 200, headers = {}, query = {}, json, sent } = sample;
  const { at = Date.UTC(2026, 4, 20, 12), requestHeaders = {} } = sample;
  const { path } = endpoints[endpoint];
  const { method = endpoints[endpoint].method } = sample;
  const { body = JSON.stringify(json) ?? '' } = sample;
  const answer = { ...readAnswer(endpoint, { status, headers, body: Buffer.from(body) }), ...sample.answer };
  const request = { method, url: `http://x/${[sample.agentId ?? [], n].flat().join('/')}`, headers: requestHeaders };
  return {
    n,
    begun: sample.begun ?? n - 1,
    sentAt: at,
    answeredAt: at,
    caller: sample.caller ?? 'valid',
    method,
    endpoint,
    agentId: path.includes('{agentId}') ? (sample.agentId ?? 'a') : undefined,
    query: Object.entries(query).map(([name, value]) => [name, String(value)] as const),
    sent,
    open: sample.open === true,
    twin: sample.twin,
    differs: sample.differs,
    answer,
    excerpt: { request, status, body: answer.text, durationMs: 1 },
  };
}

/** Used by tests only: exchanges one after another, each sent after the answer to the one before. */
export const sampleHistory = (samples: readonly SampleExchange[]): readonly Exchange[] =>
  samples.map((sample, i) => {
    const exchange = sampleExchange({ n: 2 * i + 2, ...sample });
    return sample.isSilent === true ? { ...exchange, answer: undefined } : exchange;
  });

/** Used by tests only: what checks say about a history, by their ids. */
export function verdictsOn(
  checks: readonly Check[],
  samples: readonly SampleExchange[],
  by: Partial<JudgedBy> = {},
): ReadonlyMap<string, Verdict> {
  const judgement = createJudgement(checks, { target: {}, strict: false, ...by });
  for (const exchange of sampleHistory(samples)) judgement.see(exchange);
  return new Map(
    judgement.conclude().map((judged) => {
      if ('error' in judged) throw judged.error;
      return [judged.check.id, judged.verdict];
    }),
  );
}

/** Used by tests only: which samples the exchanges of a finding or a list come from, counted from 1. */
export const numbersOf = (exchanges: Verdict['findings'][number]['exchanges']): readonly number[] =>
  exchanges.map(({ request: { url } }) => Number(url.split('/').at(-1)) / 2);
