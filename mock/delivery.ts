/** Ways in which a connection breaks in place of an answer; the names are WireMock's. */
export const connectionFaults = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** How a host hands over an answer; at once and whole where nothing is said. */
export interface Delivery {
  /** Milliseconds to wait first. */
  readonly delay?: number;
  /** Bytes of the body a second. */
  readonly rate?: number;
  readonly connection?: ConnectionFault;
}

export const isConnectionFault = (text: string): text is ConnectionFault =>
  connectionFaults.some((known) => known === text);
