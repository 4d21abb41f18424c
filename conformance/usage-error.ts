/** The user asked for something impossible: an unknown check, a bad flag, an unreadable file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
