// Joins many test files into one, so that their modules are loaded once for each mutant, not once for each file.
const path = require('node:path');

const root = path.join(__dirname, '../..');
// The names of the tests that reach the mutant, which begin with those of their files.
const wanted = globalThis.testNamePattern?.replaceAll('\\', '');
for (const file of JSON.parse(process.env.MUTATION_TESTS))
  if (wanted === undefined || wanted.includes(`(${file} `))
    describe(file, () => {
      require(path.join(root, file));
    });
