const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

/** Node's own globals, not a copy of them in a context of their own: see runtime.cjs. */
module.exports = class {
  constructor({ projectConfig }) {
    this.global = globalThis
    this.moduleMocker = new ModuleMocker(globalThis)
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.fakeTimers = null
  }

  async setup() {
    // Kept by Jest for one file: with those of the file before, an error that comes late would fail no test.
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    this.env = { ...process.env }
    this.exit = process.exit
    // A file that ended the process would end the run without a failure.
    process.exit = code => {
      throw new Error(`process.exit(${code}) was called`)
    }
  }

  async teardown() {
    process.exit = this.exit
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name]
    Object.assign(process.env, this.env)
    this.fakeTimersModern.dispose()
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  // Asked for to see whether the environment is still there; runtime.cjs compiles without it.
  getVmContext() {
    return this.global
  }
}
