const Sequencer = require('@jest/test-sequencer').default;

// Without times of an earlier run Jest starts with the largest files, and so runs the proof, which takes the longest, last.
module.exports = class extends Sequencer {
  sort(tests) {
    const isProof = ({ path }) => /[\\/]proof[\\/]/.test(path);
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of Jest
    const ordered = super.sort(tests);
    return [...ordered.filter(isProof), ...ordered.filter((test) => !isProof(test))];
  }
};
