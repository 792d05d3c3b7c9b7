const { createRequire } = require('node:module')
const { constants, compileFunction } = require('node:vm')
const { default: Runtime } = require('jest-runtime')

/** Modules that Jest loads again for each test file; all others are packages or built into Node. */
const isLoadedByJest = name => /^([./]|@recto\/|@jest\/globals$)/.test(name)

/**
 * Loads packages with Node's own `require`, once per worker, and runs everything in Node's own context. A suite then does
 * not load TypeORM and its like again for each file (half of its time otherwise), packages of ES modules need no transform,
 * and an error of Node or of a package is an `instanceof Error` in tests as in production.
 */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options)
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      })
  }

  requireModuleOrMock(from, name) {
    return isLoadedByJest(name) ? super.requireModuleOrMock(from, name) : createRequire(from)(name)
  }
}
