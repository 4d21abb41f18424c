/** A mistake in how the mock is set up; the message says what, where and how to fix it. */
export class MockError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MockError';
  }
}
