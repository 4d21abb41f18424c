'use strict';
// Used by tests only: Jest's require cannot load ES modules, but that of Node.js can. `loadOutside` is the latter.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.loadOutside = require;
  }
};
