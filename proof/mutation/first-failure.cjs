const Environment = require('@stryker-mutator/jest-runner/jest-env/node');

// One test that fails is enough to notice a mutant. Jest itself would run the others too: its bail ends a run of many files.
module.exports = class extends Environment {
  constructor(...given) {
    super(...given);
    // As proof/environment.cjs does.
    this.global.loadOutside = require;
    const handle = this.handleTestEvent;
    let failed = false;
    this.handleTestEvent = async (event, state) => {
      // Read by together.cjs.
      if (event.name === 'setup') this.global.testNamePattern = event.testNamePattern;
      if (event.name === 'test_done' && event.test.errors.length > 0) failed = true;
      if (event.name === 'test_start' && failed) event.test.mode = 'skip';
      await handle(event, state);
    };
  }
};
