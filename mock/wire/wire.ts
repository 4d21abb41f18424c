import type { HttpAnswer } from '../../http/exchange.ts';
import type { ConnectionFault } from './broken-connections.ts';

/** How a host delivers an answer. Default: at once and in one piece. */
export interface Delivery {
  /** Milliseconds to wait first. */
  readonly delay?: number;
  /** Bytes of the body per second. */
  readonly rate?: number;
  readonly connection?: ConnectionFault;
}

/** An answer, and how a host delivers it. */
export interface Wire extends Omit<HttpAnswer, 'body'> {
  /** Values of `Set-Cookie`, which cannot be joined in one header: what a server behind the mock has set. */
  readonly cookies?: readonly string[];
  readonly body: string;
  /** The encoding of the body. Default: UTF-8. */
  readonly encoding?: 'latin1';
  readonly delivery?: Delivery;
}
