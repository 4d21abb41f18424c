import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gate } from '../../../http/gate.ts';
import type { MockRequest } from '../../call.ts';
import { isAdmin, sessionOf } from '../../access/address.ts';
import { chosen } from '../../choices/index.ts';
import type { MockCore } from '../../mock-core.ts';
import { platform } from '../../../text/platform.ts';

/** A listener for `node:http`, and a middleware that obeys its mount path and passes other requests to `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** What body parsers and mounting hosts add to a request. */
type Parsed = IncomingMessage & { body?: unknown; originalUrl?: string };

/** Path and query below the mount path. Clients of a proxy put an origin before them (RFC 9112, section 3.2.2). */
export function targetOfRequest({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  if (rest === undefined) return url;
  if (rest.startsWith('/')) return rest;
  return `/${rest}`;
}

/** The path that a host has stripped from a request whose target remains. */
export function baseOf({ originalUrl }: Parsed, target: string): string {
  const whole = targetOfRequest({ url: originalUrl });
  if (!whole.endsWith(target)) return '';
  return whole.slice(0, whole.length - target.length);
}

/** Whether a target belongs to the mock: an endpoint, a session, the admin API or a page. */
export function isOwn(target: string): boolean {
  return /^\/(?:api\/v1\/(?:agents|workspaces)|_s|docs)(?:[/?]|$)/.test(target) || isAdmin(target);
}

/** The bytes of a body that an earlier parser has read; `undefined` if there was none. */
export function parsedBody({ body, readableEnded }: Parsed): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  if (!readableEnded || body === undefined) return undefined;
  return new platform.TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The most bytes of a body, by the profile of the request's session, or of the mock if the session does not exist yet. */
export function bodyLimitOf(mock: MockCore, request: MockRequest): number {
  const { id } = sessionOf(request);
  const { profile } = id !== '' && mock.sessions.has(id) ? mock.session(id) : mock;
  return chosen(profile, 'body-limit');
}

export function isPage(target: string): boolean {
  return /^\/(?:docs|__admin\/ui)(?:[/?]|$)/.test(target);
}

/** Redirects from the static API document to that of this mock, unless the gate keeps the client from the admin API. */
export function ofWorld(request: MockRequest, gate: Gate): MockRequest {
  if (!/^\/docs\/openapi\.json(?:\?|$)/.test(request.target)) return request;
  const own = { ...request, target: '/__admin/service/openapi.json' };
  if (gate(own)) return request;
  return own;
}
