import { PluginKind, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import { isDrawn } from './draw.mjs';

/** Lets the mutants pass that are drawn; the others count as ones that do not compile, which no score contains. */
class DrawnChecker {
  #draw = JSON.parse(process.env.MUTATION_DRAW ?? '{"share":1,"seed":1}');

  async init() {}

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isDrawn(mutant, this.#draw) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' },
      ]),
    );
  }

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

const create = () => new DrawnChecker();
create.inject = [];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'drawn', create)];
