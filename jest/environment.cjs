const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')
const { endLeftovers } = require('./leftovers.cjs')

/**
 * A Jest environment that uses Node's own globals instead of a new vm context: see runtime.cjs. `testEnvironmentOptions.variables` are
 * variables of the process while a file runs. Each file runs in the folder of its project, also in a run of many projects.
 */
module.exports = class {
  constructor({ projectConfig }) {
    this.global = globalThis
    this.moduleMocker = new ModuleMocker(globalThis)
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.fakeTimers = null
    this.variables = projectConfig.testEnvironmentOptions.variables
    this.folder = projectConfig.rootDir
  }

  async setup() {
    // Jest saves the error listeners per test file: with those of the previous file, a late error would fail no test.
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    this.env = { ...process.env }
    Object.assign(process.env, this.variables)
    this.formerFolder = process.cwd()
    process.chdir(this.folder)
    this.exit = process.exit
    // A test file that exits the process would end the run without a failure.
    process.exit = code => {
      throw new Error(`process.exit(${code}) was called`)
    }
  }

  async teardown() {
    process.exit = this.exit
    process.chdir(this.formerFolder)
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name]
    Object.assign(process.env, this.env)
    this.fakeTimersModern.dispose()
    endLeftovers()
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  // Jest calls this to check that the environment is not torn down; runtime.cjs compiles without the context.
  getVmContext() {
    return this.global
  }
}
