/** The user asked for something impossible: an unknown check, a bad flag, an unreadable file. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
