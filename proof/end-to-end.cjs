// Tests that start other programs (npm, shells, browsers, the packed package) take minutes, most of them waiting.
// END_TO_END=1 takes them in, so that they wait while others compute.
const isWanted = (file) => Boolean(process.env.END_TO_END) || !file.endsWith('.e2e.test.ts');

module.exports = (files) => ({ filtered: files.filter(isWanted) });
