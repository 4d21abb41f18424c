const Sequencer = require('@jest/test-sequencer').default;

// The proof takes the longest, so it comes first. Without times of an earlier run Jest would begin with the largest files.
module.exports = class extends Sequencer {
  sort(tests) {
    const isProof = ({ path }) => /[\\/]proof[\\/]/.test(path);
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of Jest
    const ordered = super.sort(tests);
    return [...ordered.filter(isProof), ...ordered.filter((test) => !isProof(test))];
  }
};
