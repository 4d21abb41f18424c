import http from 'node:http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { serverOf } from '../testing/test-server.ts';
import { startOtlp } from './otlp.ts';
import { startOperating } from './server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const routes = { '/metrics': () => Promise.resolve({ type: 'text/plain', body: 'a 1\n' }) };

/** The statuses of paths, for a request with such headers. */
async function statuses(url: string, paths: readonly string[], headers: Record<string, string> = {}) {
  const statusOf = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      http.get(url + path, { headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
  return Promise.all(paths.map(statusOf));
}

const paths = ['/healthz', '/readyz', '/metrics', '/else'];

test('answers probes to anybody, and the rest under names of this machine, or with a token', async () => {
  const local = await startOperating({ host: '127.0.0.1', port: 0 }, routes);
  const guarded = await startOperating({ host: '127.0.0.1', port: 0, token: 'operator' }, routes);
  for (const server of [local, guarded]) closing.push(() => server.close());
  expect(await statuses(local.url, paths)).toEqual([200, 200, 200, 404]);
  expect(await statuses(local.url, paths, { host: 'evil.test' })).toEqual([200, 200, 403, 403]);
  expect(await statuses(local.url, paths, { origin: 'https://evil.test' })).toEqual([200, 200, 403, 403]);
  expect(await statuses(guarded.url, paths)).toEqual([200, 200, 401, 401]);
  expect(await statuses(guarded.url, paths, { authorization: 'Bearer operatorx' })).toEqual([200, 200, 401, 401]);
  expect(await statuses(guarded.url, paths, { authorization: 'Bearer operator' })).toEqual([200, 200, 200, 404]);
  local.drain();
  expect(await statuses(local.url, paths)).toEqual([200, 503, 200, 404]);
});

test('sends metrics and events to a collector as OTLP, and says once that it cannot', async () => {
  const got: { path: string | undefined; key: unknown; body: unknown }[] = [];
  let status = 200;
  let came = (): void => undefined;
  const collector = await serverOf((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => {
      got.push({ path: request.url, key: request.headers['x-key'], body: JSON.parse(body) });
      response.writeHead(status).end();
      came();
    });
  });
  const registers = [new Registry()];
  const about = { help: 'h', registers };
  new Counter({ ...about, name: 'c', labelNames: ['check'] }).inc({ check: 'a' }, 2);
  new Gauge({ ...about, name: 'g' }).set(3);
  const histogram = new Histogram({ ...about, name: 'h', buckets: [1, 2] });
  for (const value of [0.5, 1.5, 1.6, 9]) histogram.observe(value);
  const failures: string[] = [];
  const secrets: { value: string }[] = [];
  const otlp = startOtlp(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' },
    secrets,
    async () => registers[0]?.getMetricsAsJSON() ?? [],
    (why) => void failures.push(why),
  );
  const told = new Promise<void>((resolve) => (came = resolve));
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  otlp?.tell({ text: 'wrong', traceparent: `00-${trace}-${span}-01`, attributes: { check: 'a', at: undefined } });
  await told;
  await otlp?.end();
  status = 503;
  await otlp?.end();
  await otlp?.end();
  expect([failures, secrets]).toEqual([['it answered 503'], [{ value: 'a b', placeholder: '$OTLP' }]]);
  const [logs, metrics] = got;
  const check = [{ key: 'check', value: { stringValue: 'a' } }];
  const record = { traceId: trace, spanId: span, body: { stringValue: 'wrong' }, attributes: check };
  const resourceLogs = [{ scopeLogs: [{ logRecords: [record] }] }];
  expect(logs).toMatchObject({ path: '/v1/logs', key: 'a b', body: { resourceLogs } });
  const c = { name: 'c', sum: { isMonotonic: true, dataPoints: [{ asDouble: 2, attributes: check }] } };
  const g = { name: 'g', gauge: { dataPoints: [{ asDouble: 3 }] } };
  const points = [{ count: 4, sum: 12.6, bucketCounts: [1, 2, 1], explicitBounds: [1, 2] }];
  const h = { name: 'h', histogram: { dataPoints: points } };
  const expected = { path: '/v1/metrics', body: { resourceMetrics: [{ scopeMetrics: [{ metrics: [c, g, h] }] }] } };
  expect(metrics).toMatchObject(expected);
});
