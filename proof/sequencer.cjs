const Sequencer = require('@jest/test-sequencer').default;

// Without times of an earlier run Jest begins with the largest files, and ends with the proof, which takes the longest.
module.exports = class extends Sequencer {
  sort(tests) {
    const isProof = ({ path }) => (/[\\/]proof[\\/]/.test(path) ? 0 : 1);
    return super.sort(tests).toSorted((one, other) => isProof(one) - isProof(other));
  }
};
