/** Limits that the specification does not show (section 8). */
export const bodyLimit = { 'ten-megabytes': 10_000_000, 'one-megabyte': 1_000_000 };
export const nestingLimit = { 'levels-1000': 1000, 'levels-100': 100 };

/** One in this many requests is answered 429; 0 means none. */
export const rateLimit = { none: 0, bursts: 23 };
