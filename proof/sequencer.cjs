const Sequencer = require('@jest/test-sequencer').default;

// Without times of an earlier run Jest begins with the largest files, and ends with the proof, which takes the longest.
module.exports = class extends Sequencer {
  sort(tests) {
    const isProof = ({ path }) => /[\\/]proof[\\/]/.test(path);
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of Jest
    const ordered = super.sort(tests);
    return [...ordered.filter(isProof), ...ordered.filter((test) => !isProof(test))];
  }
};
