'use strict';
// Used by tests only: Jest cannot load ES modules by require, which Node.js can; `loadOutside` is the require of Node.js.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.loadOutside = require;
  }
};
