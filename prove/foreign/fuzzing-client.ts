import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Program } from './typed-client.ts';

const REQUESTS = 300;

type Fuzz = (
  target: object,
  options: { readonly requests: number; readonly seed: number },
) => Promise<{ readonly failures: readonly string[]; readonly differences: readonly string[] }>;

/** The fuzzer needs a library that only the repository installs, so the package does without it. */
const FOLDER = path.join(__dirname, '../../proof/fuzz');
const MODULE = path.join(FOLDER, 'fuzz.js');
export const hasFuzzer = existsSync(FOLDER);

/**
 * The fuzzer of the mock, which keeps a model of what the mock must hold.
 * @param isPlain the mock has the default choices and no fault, which the model stands for
 * @throws where such a mock behaves differently through the proxy
 */
export const fuzzingClient =
  (seed: number, isPlain: boolean): Program =>
  async ({ mock, baseUrl }) => {
    const { fuzz } = (await import(MODULE)) as { fuzz: Fuzz };
    const { failures, differences } = await fuzz({ baseUrl, ...mock.target }, { requests: REQUESTS, seed });
    const [one] = [...failures, ...differences];
    if (one !== undefined && isPlain) throw new Error(`Through the proxy the mock is no longer itself: ${one}`);
  };
