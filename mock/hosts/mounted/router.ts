import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from './mount.ts';

/** A request as Express hands it to a route. */
export interface RouteRequest extends IncomingMessage {
  /** What stands for `:name` in the path, decoded; its parts for `*name`. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The query, parsed. */
  readonly query: Readonly<Record<string, unknown>>;
  /** What a parser before the route has made of the body. */
  body?: unknown;
  /** Below what the router is mounted on, without the query. */
  readonly path: string;
}

/** A response as Express hands it to a route. */
export interface RouteResponse extends ServerResponse {
  status(code: number): this;
  json(value: unknown): this;
  send(body: string | Uint8Array | object): this;
  type(type: string): this;
  redirect(url: string): void;
}

/** A handler of one's own. As the type of a method it takes those that are typed by Express, too. */
export type Route = {
  handle(request: RouteRequest, response: RouteResponse, next: (error?: unknown) => void): unknown;
}['handle'];

type Add<R> = (path: string | RegExp, ...handlers: readonly Route[]) => R;

/** A router of Express, with the mock in it. */
export interface MockRouter extends Middleware {
  use(...handlers: readonly Route[]): this;
  use(path: string | RegExp, ...handlers: readonly Route[]): this;
  readonly all: Add<this>;
  readonly get: Add<this>;
  readonly post: Add<this>;
  readonly put: Add<this>;
  readonly patch: Add<this>;
  readonly delete: Add<this>;
}

/** The mock comes first in it, and passes on what is not its own: routes that are added answer the rest. */
export function createRouter(mock: Middleware): MockRouter {
  const { Router } = require('express') as typeof import('express');
  return Router().use(mock) as unknown as MockRouter;
}
