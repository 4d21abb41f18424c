// Tests that start other programs (npm, shells, browsers, the packed package), and the larger part of the proof, take minutes.
// END_TO_END=1 takes them in, so that some wait while others compute.
const isWanted = (file) => Boolean(process.env.END_TO_END) || !file.endsWith('.e2e.test.ts');

module.exports = (files) => ({ filtered: files.filter(isWanted) });
