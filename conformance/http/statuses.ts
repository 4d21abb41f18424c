/** Statuses that may say that the caller is at fault, or what the caller may do (section 7 shows none). */
export const PERMISSION: ReadonlySet<number> = new Set([401, 402, 403]);

/** Statuses that say that there is no such thing, or no more. */
export const GONE: ReadonlySet<number> = new Set([404, 410]);
