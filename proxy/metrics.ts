import { Counter, Histogram } from 'prom-client';
import { createMeter } from '../http/operate/meter.ts';
import type { JudgeThread } from './judge-thread.ts';
import type { Share } from './share.ts';

export type Counts = ReturnType<typeof createProxyMetrics>['counts'];

export function createProxyMetrics(judge: Pick<JudgeThread, 'status' | 'waiting'>, share: Share) {
  const { register, about, counted, measured } = createMeter();
  const answered = about('requests_total', 'Requests that were answered, by status');
  const requests = new Counter({ ...answered, labelNames: ['status'] });
  const adds = about('added_seconds', 'Time that the proxy adds to an answer after its last byte came');
  const buckets = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1, 10];
  const added = new Histogram({ ...adds, buckets });
  const { status } = judge;
  counted('judged_total', 'Exchanges that were judged', 'by', () => ({ judge: status.judged }));
  counted('left_out_total', 'Exchanges that were not judged, by reason', 'reason', () => status.leftOut);
  counted('findings_total', 'Findings, by check', 'check', () => status.findings);
  measured('share', 'Share of the agents that is judged now', () => share.now);
  measured('queue_exchanges', 'Exchanges that wait for the judge', () => judge.waiting.exchanges);
  measured('queue_bytes', 'Bytes that wait for the judge', () => judge.waiting.bytes);
  measured('judge_heap_bytes', 'Heap of the judge', () => status.heapBytes);
  return { register, counts: { requests, added } };
}
