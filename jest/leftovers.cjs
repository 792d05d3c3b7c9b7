const asyncHooks = require('node:async_hooks')
const performanceHooks = require('node:perf_hooks')
const { syncBuiltinESMExports } = require('node:module')

/** Ends of what was made since the last call. */
const ends = []

asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options)
    ends.push(() => this.disable())
  }
}
performanceHooks.PerformanceObserver = class PerformanceObserver extends performanceHooks.PerformanceObserver {
  constructor(callback) {
    super(callback)
    ends.push(() => this.disconnect())
  }
}
syncBuiltinESMExports()

/**
 * Ends what a file of tests, its Jest and the packages that it was the first to load have left in the process, and what makes every file after
 * it slower or keeps all of its modules. Called when nothing of the file runs any more.
 *
 * - Node 20 copies the value of each `AsyncLocalStorage` that was used to every promise. One of a package is on again when it is used.
 * - Observers of garbage collection (`collectDefaultMetrics` of prom-client) are called at each collection, and keep their metrics.
 * - jest-circus names its state by a new symbol of the global object for each file.
 */
exports.endLeftovers = () => {
  for (const end of ends.splice(0)) end()
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol]
}
