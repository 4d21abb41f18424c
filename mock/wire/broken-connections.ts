/** Ways to break a connection instead of answering, and what a client sees. The names are WireMock's. */
export const connectionFaultMeanings = {
  CONNECTION_RESET_BY_PEER: 'closes the connection with a TCP reset, before any answer',
  EMPTY_RESPONSE: 'closes the connection without any answer',
  MALFORMED_RESPONSE_CHUNK: 'begins an answer with 200, and then sends an invalid chunk',
  RANDOM_DATA_THEN_CLOSE: 'sends bytes that are not HTTP, and closes the connection',
} as const;
export type ConnectionFault = keyof typeof connectionFaultMeanings;
export const connectionFaults = Object.keys(connectionFaultMeanings) as readonly ConnectionFault[];

export const isConnectionFault = (text: string): text is ConnectionFault =>
  connectionFaults.some((known) => known === text);
