// Loads a program of bundle-programs.mjs. What V8 has compiled of it is kept beside it and taken at the next start, a third of the processor time of
// which was parsing and compiling (decision 0098). Copied to dist/apps/load-program.js.
const { accessSync, constants: access, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { cachedDataVersionTag } = require('node:v8')
const { Script } = require('node:vm')
const { threadId } = require('node:worker_threads')

/** Milliseconds until the functions that a start uses are compiled, and there is time to keep them. */
const writeAfter = 5_000

// Node has it from version 21 on. Where it is missing, pg makes a `Response` to find out where it runs, for which Node loads all of `fetch`.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` }

/** Loads the bundle `<folder>/<name>`, whose name has the hash of its contents; returns its exports. */
exports.load = function load(folder, name) {
  const filename = join(folder, name)
  // Another version of V8, or one with other flags, has a cache of its own.
  const cacheFile = `${filename}.${cachedDataVersionTag().toString(36)}.cache`
  const cachedData = readIfThere(cacheFile)
  // It is ASCII, which is read twice as fast so.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData,
  })
  if ((!cachedData || script.cachedDataRejected) && isWritable(folder)) writeSoon(script, cacheFile)
  const module = { exports: {} }
  const importModule = specifier =>
    import(specifier.startsWith('.') ? pathToFileURL(join(folder, specifier)).href : specifier)
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, folder, importModule)
  return module.exports
}

function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** In images it is not, and has caches from the build. */
function isWritable(folder) {
  try {
    accessSync(folder, access.W_OK)
    return true
  } catch {
    return false
  }
}

/** Writes the cache of a script once, when it has run for a while or its process ends. A process without the cache works, too. */
function writeSoon(script, file) {
  const write = () => {
    clearTimeout(timer)
    process.off('exit', write)
    try {
      const fresh = `${file}.${process.pid}.${threadId}`
      writeFileSync(fresh, script.createCachedData())
      renameSync(fresh, file)
    } catch {
      // a full disk, or a folder that is gone
    }
  }
  const timer = setTimeout(write, writeAfter).unref()
  process.once('exit', write)
}
