import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gate } from '../../access/gate.ts';
import type { MockRequest } from '../../call.ts';
import { isAdmin } from '../../core.ts';
import { platform } from '../../../text/platform.ts';

/**
 * A request listener for `node:http`, and a middleware for Express, Connect and the like: with `next` it passes on what is
 * not the mock's own, and it obeys the path that it is mounted on.
 */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** What parsers put on a request. */
type Parsed = IncomingMessage & { body?: unknown };

/** Path and query of a target below the mount path; clients of a proxy write an origin before them (RFC 9112, section 3.2.2). */
export function targetOf({ url = '' }: IncomingMessage): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether a target is the mock's own: an endpoint, a session, the admin API or a page. */
export const isOwn = (target: string): boolean =>
  /^\/(?:api\/v1\/(?:agents|workspaces)|_s|docs)(?:[/?]|$)/.test(target) || isAdmin(target);

/** The bytes of a body that a parser before the mock has read, in its own form; `undefined` where none did. */
export function parsedBody({ body, readableEnded }: Parsed): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  if (!readableEnded || body === undefined) return undefined;
  return new platform.TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Whether a target is a page for people, or a part of one. */
export const isPage = (target: string): boolean => /^\/(?:docs|__admin\/ui)(?:[/?]|$)/.test(target);

/**
 * Turns a request for the document of the reference into one for the document of this mock, which names ids of its world.
 * Whoever the gate keeps from the admin API gets the page's own document, without ids.
 */
export function ofWorld(request: MockRequest, gate: Gate): MockRequest {
  if (!/^\/docs\/openapi\.json(?:\?|$)/.test(request.target)) return request;
  const own = { ...request, target: '/__admin/service/openapi.json' };
  return gate(own) ? request : own;
}
