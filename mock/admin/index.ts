import type { MockRequest } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { percentDecoded } from '../../text/parse-url.ts';
import { chosen } from '../choices/index.ts';
import type { MockCore } from '../mock-core.ts';
import { MockError } from '../mock-error.ts';
import type { Session } from '../session/session.ts';
import { json, routesOf, shows, type AdminAnswer, type AdminRoute } from './admin-route.ts';
import { behaviourHandlers } from './behaviour.ts';
import { agentHandlers } from './data/agents.ts';
import { resultHandlers } from './data/results.ts';
import { workspaceHandlers } from './data/workspaces.ts';
import { judgedBody, judgedQuery } from './judged.ts';
import { missing } from './missing.ts';
import type { Validators } from '../wording/validators.ts';
import { adminOpenApi } from './openapi.ts';
import { requestHandlers } from './requests.ts';
import { serviceHandlers } from './service.ts';
import { sessionHandlers } from './sessions.ts';
import { nearest } from '../../text/nearest.ts';

export const ADMIN = '/__admin';

/** Every operation of the admin API; the first match wins. */
export const adminRoutes: readonly AdminRoute[] = routesOf({
  ...serviceHandlers,
  ...behaviourHandlers,
  ...agentHandlers,
  ...resultHandlers,
  ...workspaceHandlers,
  ...requestHandlers,
  ...sessionHandlers,
  getOpenApi: shows(({ base }) => adminOpenApi(adminRoutes, base)),
});

/** Answers a request to the admin API. Never throws; every answer is JSON. */
export function answerAdmin(request: MockRequest, mock: MockCore, session: Session, validators: Validators): Wire {
  try {
    return written(answerTo(request, mock, session, validators));
  } catch (error) {
    if (error instanceof MockError) return written(json({ error: error.message }, 400));
    throw error;
  }
}

function answerTo(request: MockRequest, mock: MockCore, session: Session, validators: Validators): AdminAnswer {
  const [path = '', search = ''] = request.target.slice(ADMIN.length).split('?');
  const found = findRoute(request.method, path);
  if (!found) return noRoute(request.method, path);
  const { route, parameters } = found;
  const limit = chosen(session.profile, 'body-limit');
  if (request.oversize === true || (request.body?.length ?? 0) > limit)
    return json({ error: `The body is larger than ${limit} bytes.` }, 413);
  const query = judgedQuery(search, route);
  const body = judgedBody(request.body, route.body, validators);
  const call = { mock, session, base: request.base ?? '', parameters, query, body };
  return (route.creates !== true && missing(call)) || route.run(call);
}

/** The route of a request below `/__admin`, and its path parameters. */
export function findRoute(method: string, path: string) {
  for (const route of adminRoutes) {
    const parameters = route.method === method && match(route.path, path);
    if (parameters) return { route, parameters };
  }
  return undefined;
}

function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = percentDecoded(given[i] ?? '');
    if (segment.startsWith('{') && value !== undefined) parameters[segment.slice(1, -1)] = value;
    else if (segment !== given[i]) return undefined;
  }
  return parameters;
}

function noRoute(method: string, path: string): AdminAnswer {
  const others = adminRoutes.filter((route) => match(route.path, path)).map((route) => route.method);
  const asked = path.slice(0, 200);
  const there = others.length > 0 ? ` There is ${others.join(', ')}.` : meantRoutes(method, asked);
  return json(
    {
      error: `There is no ${method.slice(0, 20)} ${ADMIN}${asked}.${there}`,
      routes: adminRoutes.map((route) => `${route.method} ${ADMIN}${route.path}`),
    },
    others.length > 0 ? 405 : 404,
  );
}

function meantRoutes(method: string, path: string): string {
  if (percentDecoded(path) === undefined) return ' Its percent signs encode no UTF-8.';
  const parts = path.split('/');
  const filled = (pattern: string): string =>
    pattern
      .split('/')
      .map((segment, i) => (segment.startsWith('{') ? parts[i] || segment : segment))
      .join('/');
  const all = adminRoutes.map((route) => `${route.method} ${filled(route.path)}`);
  const [meant] = path.length < 3 ? [] : nearest(`${method} ${path}`, all, 1);
  if (meant === undefined) return ` GET ${ADMIN}/openapi.json describes all there is.`;
  return ` Did you mean ${meant.replace(' ', ` ${ADMIN}`)}?`;
}

const written = ({ json: value, status }: AdminAnswer): Wire => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});
