import type { Json, JsonObject } from '../json.ts';
import type { Latency, RateLimit, Settings } from '../session/settings.ts';
import { json, object, type AdminRoute } from './admin-route.ts';

const milliseconds = { type: 'number', minimum: 0, maximum: 600_000 };

const settingsSchema = object({
  fixedDelay: { ...milliseconds, type: ['number', 'null'], description: 'Milliseconds before every answer.' },
  delayDistribution: {
    description: 'Milliseconds before every answer, drawn anew each time.',
    anyOf: [
      { type: 'null' },
      object({ type: { const: 'fixed' }, milliseconds }, ['type', 'milliseconds']),
      object({ type: { const: 'uniform' }, lower: milliseconds, upper: milliseconds }, ['type', 'lower', 'upper']),
      object(
        { type: { const: 'lognormal' }, median: milliseconds, sigma: { type: 'number', minimum: 0, maximum: 5 } },
        ['type', 'median', 'sigma'],
      ),
    ],
  },
  rateLimit: {
    description: 'How many requests the mock accepts in how many seconds of its clock; more get 429 with retry-after.',
    anyOf: [
      { type: 'null' },
      object({ requests: { type: 'integer', minimum: 1 }, seconds: { type: 'number', exclusiveMinimum: 0 } }, [
        'requests',
        'seconds',
      ]),
    ],
  },
});

/** Latency, with WireMock's names, and the rate limit. */
export const settingsRoutes: readonly AdminRoute[] = [
  {
    id: 'getSettings',
    tag: 'Behaviour',
    method: 'GET',
    path: '/settings',
    summary: 'Show the latency and rate limit of the session',
    run: ({ session }) => json(written(session.settings)),
  },
  ...(['PUT', 'POST'] as const).map((method): AdminRoute => ({
    id: method === 'PUT' ? 'setSettings' : 'updateSettings',
    tag: 'Behaviour',
    method,
    path: '/settings',
    summary: 'Change latency and rate limit; null switches one off, and a missing one stays',
    body: settingsSchema,
    run: ({ session, body }) => {
      session.setSettings(read(body));
      return json(written(session.settings));
    },
  })),
];

function read(body: Json): Settings {
  const { fixedDelay, delayDistribution, rateLimit } = body as JsonObject;
  const latency =
    typeof fixedDelay === 'number'
      ? ({ type: 'fixed', milliseconds: fixedDelay } as const)
      : (delayDistribution ?? undefined);
  return {
    ...(fixedDelay === undefined && delayDistribution === undefined
      ? {}
      : { latency: latency as unknown as Latency | undefined }),
    ...(rateLimit === undefined ? {} : { rateLimit: (rateLimit ?? undefined) as unknown as RateLimit | undefined }),
  };
}

const written = ({ latency, rateLimit }: Settings): object => ({
  fixedDelay: latency?.type === 'fixed' ? latency.milliseconds : null,
  delayDistribution: latency === undefined || latency.type === 'fixed' ? null : latency,
  rateLimit: rateLimit ?? null,
});
