import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JudgeThread } from './judge-thread.ts';
import type { Share } from './share.ts';

/** What the proxy counts while it forwards. */
export interface Counts {
  readonly answered: (status: number) => void;
  /** Milliseconds from the last byte of the upstream until the client's connection has it. */
  readonly added: (ms: number) => void;
}

/** Metrics of a proxy for Prometheus, read when they are asked for. */
export function createProxyMetrics(judge: Pick<JudgeThread, 'status' | 'waiting'>, share: Share) {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const name = (rest: string): string => `agent_contract_${rest}`;
  const requests = new Counter({
    name: name('requests_total'),
    help: 'Requests that were answered, by status',
    registers,
    labelNames: ['status'],
  });
  const added = new Histogram({
    name: name('added_seconds'),
    help: 'Time that the proxy adds to an answer after its last byte came',
    registers,
    buckets: [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1, 10],
  });
  const { status } = judge;

  /** Metrics of numbers that are kept elsewhere. */
  const counted = (rest: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void =>
    void new Counter({
      name: name(rest),
      help,
      registers,
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  const measured = (rest: string, help: string, read: () => number): void =>
    void new Gauge({
      name: name(rest),
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  counted('judged_total', 'Exchanges that were judged', 'by', () => ({ judge: status.judged }));
  counted('left_out_total', 'Exchanges that were not judged, by reason', 'reason', () => status.leftOut);
  counted('findings_total', 'Findings, by check', 'check', () => status.findings);
  measured('share', 'Share of the agents that is judged now', () => share.now);
  measured('queue_exchanges', 'Exchanges that wait for the judge', () => judge.waiting.exchanges);
  measured('queue_bytes', 'Bytes that wait for the judge', () => judge.waiting.bytes);
  measured('judge_heap_bytes', 'Heap of the judge', () => status.heapBytes);

  const counts: Counts = {
    answered: (code) => requests.inc({ status: String(code) }),
    added: (ms) => added.observe(ms / 1000),
  };
  return { register, counts };
}
