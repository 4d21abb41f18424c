import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAdmin } from '../core.ts';

/**
 * A request listener for `node:http`, and a middleware for Express, Connect and the like: with `next` it passes on what is
 * not the mock's own, and it obeys the path that it is mounted on.
 */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** What routers put on a request: the path that they took away, the target before that, and a body that was parsed. */
type Routed = IncomingMessage & { originalUrl?: string; baseUrl?: string; body?: unknown };

/** Path and query of a target below the mount path; clients of a proxy write an origin before them (RFC 9112, section 3.2.2). */
export function targetOf({ url = '' }: IncomingMessage): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether a target is the mock's own: an endpoint, a session, the admin API or a page. */
export const isOwn = (target: string): boolean =>
  /^\/(?:api\/v1\/(?:agents|workspaces)|_s|docs)(?:[/?]|$)/.test(target) || isAdmin(target);

/** Tells Express, which builds redirects from it, where the mock is mounted: Connect does not. */
export function noteMount(request: Routed, target: string): void {
  const { originalUrl, baseUrl, url } = request;
  request.url = target;
  if (baseUrl === undefined && url !== undefined && originalUrl?.endsWith(url) === true)
    request.baseUrl = originalUrl.slice(0, -url.length);
}

/** The bytes of a body that a parser before the mock has read, in its own form; `undefined` where none did. */
export function parsedBody({ body, readableEnded }: Routed): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  if (!readableEnded || body === undefined) return undefined;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
