// Joins many test files into one, so that their modules are loaded once for each mutant, not once for each file.
const path = require('node:path');

const root = path.join(__dirname, '../..');
for (const file of JSON.parse(process.env.MUTATION_TESTS))
  describe(file, () => {
    require(path.join(root, file));
  });
