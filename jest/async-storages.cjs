const asyncHooks = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')

const storages = new Set()

/** Those of a file of tests, and of the Jest that runs it, are made again for the next file. */
asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options)
    storages.add(this)
  }
}
syncBuiltinESMExports()

/**
 * Switches off every `AsyncLocalStorage` of this process that was made since the last call. Node 20 copies the value of each one that was used
 * to every promise: those of hundreds of files took a third of the time of a worker. One of a package is on again when it is used.
 */
exports.disableStorages = () => {
  for (const storage of storages) storage.disable()
  storages.clear()
}
