const { createRequire } = require('node:module')
const { constants, compileFunction } = require('node:vm')
const { default: Runtime } = require('jest-runtime')

/** Modules that Jest loads again for each test file; all others are packages or built into Node. */
const isLoadedByJest = name => /^([./]|@recto\/|@jest\/globals$)/.test(name)

/** The modules compiled in this worker, by file: each test file runs them again, with new `exports`. */
const compiled = new Map()

/** Compiles a module as a function of `parameters`, unless a test file before has. */
function compile(source, filename, parameters) {
  const known = compiled.get(filename)
  if (known?.source === source) return known.run
  const run = compileFunction(source, parameters, {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  compiled.set(filename, { source, run })
  return run
}

/**
 * Loads packages with Node's own `require`, once per worker, and runs everything in Node's own context. A suite then does
 * not load TypeORM and its like again for each file (half of its time otherwise), packages of ES modules need no transform,
 * and an error of Node or of a package is an `instanceof Error` in tests as in production.
 */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options)
    this.executor.compile = (source, filename) => compile(source, filename, this.executor.injectedModuleParameters)
  }

  requireModuleOrMock(from, name) {
    return isLoadedByJest(name) ? super.requireModuleOrMock(from, name) : createRequire(from)(name)
  }
}
