import type { Json, JsonObject } from '../../text/json.ts';
import type { Latency, RateLimit, Settings } from '../session/settings.ts';
import { json, object, routesOf, type RouteRow } from './admin-route.ts';
import type { Schema } from './validators.ts';

const milliseconds = (usual: number): Schema => ({ type: 'number', minimum: 0, maximum: 600_000, default: usual });

/** One of several distributions, which its `type` names. */
const variant = (type: string, members: Schema): Schema =>
  object({ type: { const: type }, ...members }, ['type', ...Object.keys(members)]);

const settingsSchema = object({
  fixedDelay: { ...milliseconds(0), type: ['number', 'null'], description: 'Milliseconds before every answer.' },
  delayDistribution: {
    description: 'Milliseconds before every answer, drawn anew each time.',
    anyOf: [
      { type: 'null' },
      variant('fixed', { milliseconds: milliseconds(200) }),
      variant('uniform', { lower: milliseconds(50), upper: milliseconds(500) }),
      variant('lognormal', {
        median: milliseconds(80),
        sigma: { type: 'number', minimum: 0, maximum: 5, default: 0.4 },
      }),
    ],
  },
  rateLimit: {
    description: 'How many requests the mock accepts in how many seconds of its clock; more get 429 with retry-after.',
    anyOf: [
      { type: 'null' },
      object(
        {
          requests: { type: 'integer', minimum: 1, default: 10 },
          seconds: { type: 'number', exclusiveMinimum: 0, default: 60 },
        },
        ['requests', 'seconds'],
        { title: 'On' },
      ),
    ],
  },
});

const change: RouteRow = {
  on: 'PUT /settings',
  summary: 'Change latency and rate limit; null switches one off, and a missing one stays',
  body: settingsSchema,
  run: ({ session, body }) => {
    session.setSettings(read(body));
    return json(written(session.settings));
  },
};

/** Latency, with WireMock's names, and the rate limit. */
export const settingsRoutes = routesOf('Behaviour', {
  getSettings: {
    on: 'GET /settings',
    summary: 'Show the latency and rate limit of the session',
    run: ({ session }) => json(written(session.settings)),
  },
  setSettings: change,
  updateSettings: { ...change, on: 'POST /settings' },
});

function read(body: Json): Settings {
  const { fixedDelay, delayDistribution, rateLimit } = body as JsonObject;
  const settings: { -readonly [member in keyof Settings]: Settings[member] } = {};
  if (fixedDelay === null || delayDistribution === null) settings.latency = undefined;
  if (delayDistribution) settings.latency = delayDistribution as unknown as Latency;
  if (typeof fixedDelay === 'number') settings.latency = { type: 'fixed', milliseconds: fixedDelay };
  if (rateLimit !== undefined) settings.rateLimit = (rateLimit ?? undefined) as RateLimit | undefined;
  return settings;
}

const written = ({ latency, rateLimit }: Settings): object => ({
  fixedDelay: latency?.type === 'fixed' ? latency.milliseconds : null,
  delayDistribution: latency === undefined || latency.type === 'fixed' ? null : latency,
  rateLimit: rateLimit ?? null,
});
