/** Our own requests: each is valid where it is meant to be, and nobody else changes what the run created. */
export const ownTraffic = {
  /**
   * Whether others may change, reset or name things while the history goes on. Then of denials, and of other values, only those
   * between two answers that agree count.
   */
  isShared: false,
  /** Whether a valid request may ask for what a server may refuse or change: a name in use, an old cursor, dates of its own. */
  isWilful: false,
  /** Whether a path always names an agent by its identifier. Otherwise some answer has to show that it is one. */
  pathsHoldIds: true,
  /** Whether the `Date` header and our clock tell the time at the target before a creation confirms it. */
  trustsClocks: true,
  /** For how long the cursor of a page continues its list, in milliseconds. Later it may belong to another list. */
  cursorLifeMs: Infinity,
  /** For how long a cursor that nobody has used yet must be accepted, in milliseconds; `undefined` if always, and again. */
  freshCursorMs: undefined as number | undefined,
  /** Whether what failed was sent again, so that failing always is told from failing now and then. */
  asksAgain: true,
  steadyPages: 1,
};

/** How far a history proves something. Facts and checks read this, and never ask whose requests they see. */
export type Policy = Readonly<typeof ownTraffic>;

/** Requests of others: nothing is known about callers, agents and side effects except what the traffic shows. */
export const foreignTraffic: Policy = {
  isShared: true,
  isWilful: true,
  pathsHoldIds: false,
  // A test may freeze the target's clock while `Date` goes on.
  trustsClocks: false,
  cursorLifeMs: 300_000,
  freshCursorMs: 10_000,
  asksAgain: false,
  steadyPages: 3,
};
