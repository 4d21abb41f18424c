import { Counter, Histogram } from 'prom-client';
import { createMeter } from '../../http/operate/meter.ts';
import type { Mock, MockOptions } from '../../mock/index.ts';

export function createMockMetrics() {
  const { register, about, measured } = createMeter();
  const answered = about('requests_total', 'Requests that were answered, by endpoint and status');
  const requests = new Counter({ ...answered, labelNames: ['endpoint', 'status'] });
  const took = about('answer_seconds', 'Time from a request to the end of its answer, with intended delays');
  const buckets = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1, 10];
  const duration = new Histogram({ ...took, buckets });
  const onExchange: NonNullable<MockOptions['onExchange']> = ({ endpoint = 'none', wire, duration: ms }) => {
    requests.inc({ endpoint, status: String(wire.status) });
    duration.observe(ms / 1000);
  };
  return {
    onExchange,
    of(mock: Pick<Mock, 'sessions'>) {
      measured('sessions', 'Sessions that exist', () => mock.sessions.list().length);
      return register;
    },
  };
}
