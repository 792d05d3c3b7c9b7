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

  async setup() {}

  async teardown() {
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
