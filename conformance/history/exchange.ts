import type { EndpointId } from '../../spec/index.ts';
import type { WireRequest } from '../http/transport.ts';

/** Characters of a body that are kept to be shown. */
export const MAX_KEPT = 2000;

/** A request and what came of it, as it went over the wire: it may hold the token. */
export interface Exchange {
  readonly request: WireRequest;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The first {@link MAX_KEPT} characters of the answer's body. */
  readonly body?: string;
  readonly durationMs: number;
  readonly failure?: string;
}

/** A complete answer. */
export interface Answer {
  readonly endpoint: EndpointId;
  /** The agent in the path, where there was one. */
  readonly agentId: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Success is any 2xx: which one is not shown (section 4.7). */
  readonly accepted: boolean;
  /** The parsed body, shared by answers of the same body; `undefined` where `problem` says what the body is instead. */
  readonly json: unknown;
  readonly problem: string | undefined;
  /** The first {@link MAX_KEPT} characters of the body. */
  readonly text: string;
  readonly exchange: Exchange;
  /** Epoch milliseconds by the target's clock; several where it cannot be told which it goes by. */
  readonly instants: readonly number[];
}
