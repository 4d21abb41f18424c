/** The status that denies that the token is right. */
export const UNAUTHORIZED = 401;

/** Statuses that may blame the caller, or the caller's rights (the specification shows none, section 7). */
export const PERMISSION: ReadonlySet<number> = new Set([UNAUTHORIZED, 402, 403]);

/** Statuses of a server that answers one request at a time. */
export const RETRY_LATER: ReadonlySet<number> = new Set([408, 409, 425]);

/** Statuses that deny that a thing exists, now or any more. */
export const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Statuses that say that a method is not there for a path. No token and no identifier explains them. */
export const NO_METHOD: ReadonlySet<number> = new Set([405, 501]);

/** Statuses that deny a path, or a method of it. */
export const NOT_SERVED: ReadonlySet<number> = new Set([...GONE, ...NO_METHOD]);
