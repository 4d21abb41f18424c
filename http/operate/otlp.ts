import type { Registry } from 'prom-client';
import type { Secret } from '../../text/curl.ts';
import { messageOf } from '../../text/errors.ts';
import { postJson } from '../post.ts';

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

export interface Event {
  readonly text: string;
  /** Of a request: `00-<trace>-<span>-01`. */
  readonly traceparent?: string | undefined;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

const USUAL_PAUSE_MS = 60_000;

/**
 * Sends metrics now and then, and events at once, to an OpenTelemetry collector: OTLP over HTTP, in JSON. The variables of
 * OpenTelemetry say where it is, if there is one: `OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318`.
 * @param secrets gets the values of `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`
 * @param onFailure is called once, when the collector cannot be reached
 */
export function startOtlp(
  env: Readonly<Record<string, string | undefined>>,
  secrets: Secret[],
  metrics: Registry['getMetricsAsJSON'],
  onFailure: (why: string) => void,
) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = env;
  if (endpoint === undefined) return undefined;
  const resource = { attributes: attributesOf({ 'service.name': env['OTEL_SERVICE_NAME'] ?? 'agent-contract' }) };
  const scope = { name: 'agent-contract' };
  const base = endpoint.replace(/\/+$/, '');
  const given = Array.from(headers.matchAll(/([^,=]+)=([^,]*)/g), ([, name = '', value = '']) => {
    return [name.trim(), decodeURIComponent(value.trim())] as const;
  });
  for (const [, value] of given) secrets.push({ value, placeholder: '$OTLP' });
  const began = nanoseconds();
  let hasFailed = false;

  async function post(path: string, body: object): Promise<void> {
    try {
      await postJson(base + path, JSON.stringify(body), Object.fromEntries(given));
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(messageOf(error));
      hasFailed = true;
    }
  }

  async function push(): Promise<void> {
    const all = await metrics();
    const now = nanoseconds();
    const told = all.flatMap((one) => metricOf(one, { startTimeUnixNano: began, timeUnixNano: now }));
    await post('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: told }] }] });
  }

  const timer = setInterval(() => void push(), Number(env['OTEL_METRIC_EXPORT_INTERVAL']) || USUAL_PAUSE_MS).unref();
  return {
    tell({ text, traceparent = '', attributes }: Event): void {
      const [, traceId, spanId] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/.exec(traceparent) ?? [];
      const about = { timeUnixNano: nanoseconds(), severityNumber: 13, severityText: 'WARN', traceId, spanId };
      const logRecords = [{ ...about, body: { stringValue: text }, attributes: attributesOf(attributes) }];
      void post('/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await push();
    },
  };
}

const nanoseconds = (): string => `${Date.now()}000000`;

function attributesOf(all: Readonly<Record<string, string | number | undefined>>): object[] {
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => ({ key, value: { stringValue: String(value) } }));
}

const CUMULATIVE = 2;

function metricOf({ name, help, type: kind, values }: Metric, times: object): object[] {
  // It says numbers, and gives words.
  const type = String(kind);
  const points = values.map(({ value, labels }) => ({ ...times, asDouble: value, attributes: attributesOf(labels) }));
  const about = { name, description: help };
  if (type === 'counter')
    return [{ ...about, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints: points } }];
  if (type === 'gauge') return [{ ...about, gauge: { dataPoints: points } }];
  if (type !== 'histogram') return [];
  const named: readonly ((typeof values)[number] & { readonly metricName?: string })[] = values;
  const of = (suffix: string) => named.filter(({ metricName }) => metricName === name + suffix);
  const counts = of('_bucket').map(({ value }) => value);
  const bounds = of('_bucket').map(({ labels }) => Number(labels['le']));
  const point = {
    ...times,
    count: of('_count')[0]?.value ?? 0,
    sum: of('_sum')[0]?.value ?? 0,
    // Prometheus counts all below a bound, and OTLP those between two.
    bucketCounts: counts.map((count, i) => count - (counts[i - 1] ?? 0)),
    // The last is no number, but +Inf.
    explicitBounds: bounds.filter(Number.isFinite),
  };
  return [{ ...about, histogram: { aggregationTemporality: CUMULATIVE, dataPoints: [point] } }];
}
