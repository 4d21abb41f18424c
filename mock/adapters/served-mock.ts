import type { MockOptions } from '../mock-core.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';
import variables from './variables.json';

export interface ServedMock {
  readonly mock: Mock;
  readonly server: MockServer;
  /** By the names of the variables; `undefined` for an id that the world does not have. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function serveMock(options: MockOptions): Promise<ServedMock> {
  const mock = createMock(options);
  const server = await mock.listen();
  const values: Readonly<Record<string, string>> = { baseUrl: server.url, ...mock.target };
  const env = Object.entries(variables).map(([key, name]) => [name, values[key] || undefined] as const);
  return { mock, server, env: Object.fromEntries(env) };
}
