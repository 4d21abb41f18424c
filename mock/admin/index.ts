import type { ErrorObject, ValidateFunction } from 'ajv';
import { readAdminBody } from '../service/body.ts';
import type { Json } from '../json.ts';
import type { MockRequest, Wire } from '../call.ts';
import { chosen } from '../choices/index.ts';
import type { MockCore } from '../mock-core.ts';
import { MockError } from '../mock-error.ts';
import type { Session } from '../session/session.ts';
import { json, type AdminAnswer, type AdminRoute, type Schema } from './admin-route.ts';
import { agentRoutes } from './agents.ts';
import { clockRoutes } from './clock.ts';
import { adminOpenApi } from './openapi.ts';
import { requestRoutes } from './requests.ts';
import { serviceRoutes } from './service.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { upstreamRoutes } from './upstream.ts';
import { didYouMean, nearest } from '../../text/nearest.ts';

export const ADMIN = '/__admin';

/** Every operation of the admin API; one that comes first wins. */
export const adminRoutes: readonly AdminRoute[] = [
  ...serviceRoutes,
  ...settingsRoutes,
  ...clockRoutes,
  ...agentRoutes,
  ...requestRoutes,
  ...sessionRoutes,
  ...upstreamRoutes,
  {
    id: 'getOpenApi',
    tag: 'Service',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Show this API as an OpenAPI document',
    run: () => json(adminOpenApi(adminRoutes)),
  },
];

/** Answers a request to the mock itself. Never throws; every answer is JSON. */
export function answerAdmin(request: MockRequest, mock: MockCore, session: Session): Wire {
  try {
    return written(answerTo(request, mock, session));
  } catch (error) {
    if (error instanceof MockError) return written(json({ error: error.message }, 400));
    throw error;
  }
}

function answerTo(request: MockRequest, mock: MockCore, session: Session): AdminAnswer {
  const [path = '', search = ''] = request.target.slice(ADMIN.length).split('?');
  const found = findRoute(request.method, path);
  if (!found) return noRoute(request.method, path);
  const { route, parameters } = found;
  const limit = chosen(session.profile, 'body-limit');
  if (request.oversize === true || (request.body?.length ?? 0) > limit)
    return json({ error: `The body is larger than ${limit} bytes.` }, 413);
  const body = route.body === undefined ? null : judged(readAdminBody(request.body), route.body);
  return route.run({ mock, session, parameters, query: new URLSearchParams(search), body });
}

/** The route of a request below `/__admin`, and what stands for the parameters of its path. */
export function findRoute(
  method: string,
  path: string,
): { readonly route: AdminRoute; readonly parameters: Readonly<Record<string, string>> } | undefined {
  for (const route of adminRoutes) {
    const parameters = route.method === method ? match(route.path, path) : undefined;
    if (parameters) return { route, parameters };
  }
  return undefined;
}

function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
      continue;
    }
    try {
      parameters[segment.slice(1, -1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return parameters;
}

function noRoute(method: string, path: string): AdminAnswer {
  const others = adminRoutes.filter((route) => match(route.path, path)).map((route) => route.method);
  return json(
    {
      error: `There is no ${method} ${ADMIN}${path.slice(0, 200)}.${others.length > 0 ? ` There is ${others.join(', ')}.` : meantRoutes(method, path.slice(0, 200))}`,
      routes: adminRoutes.map((route) => `${route.method} ${ADMIN}${route.path}`),
    },
    others.length > 0 ? 405 : 404,
  );
}

/** The routes that were probably meant, with what was given in the place of their parameters. */
function meantRoutes(method: string, path: string): string {
  const given = path.split('/');
  const filled = (pattern: string): string =>
    pattern
      .split('/')
      .map((segment, i) => (segment.startsWith('{') ? given[i] || segment : segment))
      .join('/');
  const all = adminRoutes.map((route) => `${route.method} ${filled(route.path)}`);
  const [meant] = nearest(`${method} ${path}`, all, 1);
  return meant === undefined ? '' : ` Did you mean ${meant.replace(' ', ` ${ADMIN}`)}?`;
}

const judges = new Map<Schema, ValidateFunction>();

/** @throws MockError that lists what does not fit the schema. */
function judged(value: Json, schema: Schema): Json {
  const judge = judges.get(schema) ?? compile(schema);
  judges.set(schema, judge);
  if (judge(value)) return value;
  throw new MockError((judge.errors ?? []).slice(0, 5).map(said).join(' '));
}

/** What an error says: where, what is wrong, and what it may be. */
function said({ instancePath, message, params, parentSchema, data }: ErrorObject): string {
  const words = `body${instancePath.slice(0, 200)} ${message ?? 'does not fit'}`;
  if ('additionalProperty' in params) {
    const name = String(params['additionalProperty']).slice(0, 100);
    const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
    return `${words} (${name}).${didYouMean(name, known) || ` It has ${known.join(', ')}.`}`;
  }
  if (!('allowedValues' in params)) return `${words}.`;
  const values = (params['allowedValues'] as readonly unknown[]).map(String);
  const meant = typeof data === 'string' ? didYouMean(data.slice(0, 100), values) : '';
  return `${words} (${values.join(', ')}).${meant}`;
}

/** Ajv is loaded with the first body that comes. */
function compile(schema: Schema): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
  return new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(schema);
}

const written = ({ json: value, status }: AdminAnswer): Wire => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});
