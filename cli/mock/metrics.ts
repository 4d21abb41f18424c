import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Mock, MockOptions } from '../../mock/index.ts';

/** Metrics of a mock for Prometheus. */
export function createMockMetrics() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'agent_contract_requests_total',
    help: 'Requests that were answered, by endpoint and status',
    labelNames: ['endpoint', 'status'],
    registers: [register],
  });
  const duration = new Histogram({
    name: 'agent_contract_answer_seconds',
    help: 'Time from a request to the end of its answer, with intended delays',
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1, 10],
    registers: [register],
  });
  const onExchange: NonNullable<MockOptions['onExchange']> = ({ endpoint = 'none', wire, duration: ms }) => {
    requests.inc({ endpoint, status: String(wire.status) });
    duration.observe(ms / 1000);
  };
  return {
    onExchange,
    /** The metrics, with those of a mock. */
    of(mock: Pick<Mock, 'sessions'>): Registry {
      void new Gauge({
        name: 'agent_contract_sessions',
        help: 'Sessions that exist',
        registers: [register],
        collect() {
          this.set(mock.sessions.list().length);
        },
      });
      return register;
    },
  };
}
