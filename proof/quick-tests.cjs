// Two kinds of tests take minutes: those that start other programs (npm, shells, browsers, the packed package), named
// *.e2e.test.ts, and those that run whole checks or try every combination, named *.thorough.test.ts. ALL_TESTS=1 includes them in
// the same run, so that some wait while others compute.
module.exports = (files) => ({
  filtered: files.filter((file) => Boolean(process.env.ALL_TESTS) || !/\.(?:e2e|thorough)\.test\.ts$/.test(file)),
});
