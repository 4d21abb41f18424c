import { mountedGate } from '../../access/gate.ts';
import type { MockRequest } from '../../call.ts';
import { waitingTime, type Wire } from '../../wire/wire.ts';
import type { MockCore } from '../../mock-core.ts';
import { MockError } from '../../mock-error.ts';
import type { Beside } from '../stream.ts';
import { createConnections } from '../connections.ts';
import { pause, toResponse } from '../fetch.ts';
import { platform } from '../../../text/platform.ts';
import { bodyLimitOf, ofWorld } from './mount.ts';
import { readBody } from '../../../http/body.ts';

export interface HandlerOptions {
  /** The path before those of the mock: `/mock`. Default: none. */
  readonly basePath?: string;
}

/** The handler that servers with the Fetch API call for each request. It rejects only if the request is aborted. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Creates a handler for servers with the Fetch API, with what is beside the API. Such a server cannot break a connection
 * before an answer, so a connection fault breaks the body. A slow answer comes in one piece, when its end would.
 * @throws MockError for an invalid base path.
 */
export function createHandler(mock: MockCore, beside: Beside, { basePath = '' }: HandlerOptions = {}): FetchHandler {
  const base = basePath.replace(/\/+$/, '');
  if (!/^(?:\/[^/?#\s]+)*$/.test(base))
    throw new MockError(`basePath is ${JSON.stringify(basePath.slice(0, 200))}; it must be a path such as /mock.`);
  const connections = createConnections();
  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    if (pathname !== base && !pathname.startsWith(`${base}/`)) return elsewhere(base, pathname);
    const on = connections.begin();
    try {
      const path = pathname.slice(base.length) || '/';
      const sent: MockRequest = {
        method: request.method,
        target: `${path}${search}`,
        // Hono, among others, strips the path where it mounts a handler, and does not say which.
        base: base || path.split('/').slice(2).fill('..').join('/'),
        headers: { host, ...Object.fromEntries(request.headers) },
      };
      const refused = mountedGate(sent);
      if (refused) return toResponse(refused, request.method);
      const asked = ofWorld(sent, mountedGate);
      const other = beside(asked);
      if (other) return other;
      // One that is too large is not read to its end.
      const body = request.body ? await readBody(request.body, bodyLimitOf(mock, asked)) : undefined;
      const oversize = request.body !== null && body === undefined;
      const wire = await mock.respond({ ...asked, body, oversize, ...on.onHost() });
      await pause(waitingTime(wire), request.signal);
      if (wire.delivery?.connection === undefined) return toResponse(wire, request.method);
      return broken(wire);
    } finally {
      on.end();
    }
  };
}

const broken = ({ delivery }: Wire): Response =>
  new platform.Response(
    new platform.ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated', { cause: new Error(delivery?.connection) })),
    }),
    { headers: { 'content-type': 'application/json; charset=utf-8' } },
  );

const elsewhere = (base: string, pathname: string): Response =>
  platform.Response.json(
    { error: `This mock is below ${base}, and ${pathname.slice(0, 200)} is not. Its base path says where it is.` },
    { status: 404 },
  );
