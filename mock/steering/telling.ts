/** The header in which a preloaded module tells a served mock which test sends a request: its name and its file, as JSON. */
export const TELLING = 'x-agent-contract-test';
