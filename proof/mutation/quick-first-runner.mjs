import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PluginKind, commonTokens, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { isDrawn } from './draw.mjs';

// Runs in Stryker's copy of the project: a runner that took too long is restarted.
const TIMES = 'mutation-times.json';

/** Stryker's runner for Jest, with many test files merged into one (`together.cjs`). */
class QuickFirstRunner {
  #draw = JSON.parse(process.env.MUTATION_DRAW);
  #jest;

  constructor(injector) {
    this.#jest = jestPlugins[0].factory(injector);
  }

  capabilities() {
    return this.#jest.capabilities();
  }

  async init() {
    await this.#jest.init();
    if (existsSync(TIMES)) orderBy(JSON.parse(readFileSync(TIMES, 'utf8')));
  }

  /** Reports the real file of each test, so that Stryker sees whether it changed since the last run. */
  async dryRun(options) {
    const result = await this.#jest.dryRun(options);
    if (!result.tests) return result;
    const times = {};
    const tests = result.tests.map((test) => {
      if (!test.fileName.endsWith('together.cjs')) return test;
      const [file] = test.name.split(' ', 1);
      times[file] = (times[file] ?? 0) + test.timeSpentMs;
      return { ...test, fileName: path.resolve(file) };
    });
    writeFileSync(TIMES, JSON.stringify(times));
    orderBy(times);
    return { ...result, tests };
  }

  async mutantRun(options) {
    if (!isDrawn(options.activeMutant, this.#draw)) return { status: 'error', errorMessage: 'not drawn' };
    return this.#jest.mutantRun(options);
  }
}

/** The quickest tests run first, since a failure ends the run. */
function orderBy(times) {
  const files = JSON.parse(process.env.MUTATION_TESTS);
  const timeOf = (file) => times[file] ?? 0;
  process.env.MUTATION_TESTS = JSON.stringify(files.toSorted((one, other) => timeOf(one) - timeOf(other)));
}

const create = (injector) => new QuickFirstRunner(injector);
create.inject = [commonTokens.injector];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'quick-first', create)];
