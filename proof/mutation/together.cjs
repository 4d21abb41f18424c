// Many test files as one, so that the modules behind them are loaded once a mutant and not once a file.
const path = require('node:path');

const root = path.join(__dirname, '../..');
for (const file of JSON.parse(process.env.MUTATION_TESTS))
  describe(file, () => {
    require(path.join(root, file));
  });
