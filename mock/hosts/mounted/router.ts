import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from './mount.ts';

/** A request as Express passes it to a route. */
export interface RouteRequest extends IncomingMessage {
  /** The decoded values of `:name` in the path; a list for `*name`. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The query, parsed. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body, if an earlier middleware parsed it. */
  body?: unknown;
  /** The path below the mount path, without the query. */
  readonly path: string;
}

/** A response as Express passes it to a route. */
export interface RouteResponse extends ServerResponse {
  status(code: number): this;
  json(value: unknown): this;
  send(body: string | Uint8Array | object): this;
  type(type: string): this;
  redirect(url: string): void;
}

/** Your own handler. As a method type, it also accepts handlers with the types of Express. */
export type Route = {
  handle(request: RouteRequest, response: RouteResponse, next: (error?: unknown) => void): unknown;
}['handle'];

type Add<R> = (path: string | RegExp, ...handlers: readonly Route[]) => R;

/** An Express router that contains the mock. */
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

/** The mock comes first, and passes on other requests, which your own routes answer. */
export function createRouter(mock: Middleware): MockRouter {
  const { Router } = require('express') as typeof import('express');
  return Router().use(mock) as unknown as MockRouter;
}
