/** The access of a caller to an agent (section 3). */
export type Mode = 'guest' | 'read' | 'write';

/** The tokens that the mock knows, each with its mode. */
export type Tokens = ReadonlyMap<string, Mode>;
