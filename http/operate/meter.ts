import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Metrics for Prometheus, with those of Node.js. */
export function createMeter() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const about = (name: string, help: string) => ({ name: `agent_contract_${name}`, help, registers: [register] });
  return {
    register,
    /** The options of a metric that is counted where something happens. */
    about,
    /** A number that is kept elsewhere, and read when it is asked for. */
    measured: (name: string, help: string, read: () => number): Gauge =>
      new Gauge({
        ...about(name, help),
        collect() {
          this.set(read());
        },
      }),
    /** Numbers by the value of a label, kept elsewhere likewise. */
    counted: (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): Counter =>
      new Counter({
        ...about(name, help),
        labelNames: [label],
        collect() {
          this.reset();
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
        },
      }),
  };
}
