/** A mistake in the setup of the mock. The message says what, where, and how to fix it. */
export class MockError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MockError';
  }
}
