const Sequencer = require('@jest/test-sequencer').default;

// What takes the longest comes first: the proof, then whole runs and other programs. Without times of an earlier run Jest would
// begin with the largest files, and end with a long one while nothing else runs.
module.exports = class extends Sequencer {
  sort(tests) {
    const groups = [/[\\/]proof[\\/]/, /\.(?:e2e|thorough)\.test\.ts$/, /./];
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of Jest
    const ordered = super.sort(tests);
    return groups.flatMap((_, place) =>
      ordered.filter(({ path }) => groups.findIndex((group) => group.test(path)) === place),
    );
  }
};
