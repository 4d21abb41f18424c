/** A request as it goes over the wire. `url` is absolute; header names are in lower case. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came over the wire. The transport limits its size and its time. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case; repeated fields joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Sends one request and resolves with the whole answer. Follows no redirect. @throws TransportError if no complete
 * answer arrived.
 */
export type Transport = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;

export type TransportFailure = 'refused' | 'reset' | 'timeout' | 'too-large' | 'malformed' | 'tls' | 'name' | 'other';

/** No complete answer arrived. `message` says what happened, and the remedy if one is known. */
export class TransportError extends Error {
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportError';
    this.failure = failure;
  }
}
