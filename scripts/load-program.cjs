// Loads a program of bundle-programs.mjs. What V8 has compiled of it is kept beside it and taken at the next start, a third of the processor
// time of which was parsing and compiling (decision 0098). Copied to dist/apps/load-program.js.
const { accessSync, constants: access, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { cachedDataVersionTag } = require('node:v8')
const { Script } = require('node:vm')
const { threadId } = require('node:worker_threads')
const { crc32 } = require('node:zlib')

// Node has it from version 21 on. Where it is missing, pg makes a `Response` to find out where it runs, for which Node loads all of `fetch`.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` }

/** The exit code of a program whose end waits for something that cannot happen any more, as Node has it for modules. */
const unsettled = 13

/**
 * Loads the program `<folder>/<name>`, whose name has the hash of its contents; returns its exports. Its end is the promise `ended` among
 * them, if there is one.
 */
exports.load = function load(folder, name) {
  const filename = join(folder, name)
  // Another version of V8, or one with other flags, has a cache of its own; that of an image has none of this in its name.
  const cacheFile = `${filename}.${cachedDataVersionTag().toString(36)}.cache`
  const cachedData = readCache(cacheFile) ?? readCache(`${filename}.cache`)
  // It is ASCII, which is read twice as fast so.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData })
  const module = { exports: {} }
  const importModule = specifier =>
    import(specifier.startsWith('.') ? pathToFileURL(join(folder, specifier)).href : specifier)
  try {
    script.runInThisContext()(module.exports, createRequire(filename), module, filename, folder, importModule)
  } finally {
    if ((!cachedData || script.cachedDataRejected) && isWritable(folder)) writeCache(cacheFile, script)
  }
  if (module.exports.ended) watchEnd(module.exports.ended)
  return module.exports
}

/** What V8 has kept, without the checksum before it: V8 trusts what it is given, and ends the process where that is damaged. */
function readCache(file) {
  try {
    const kept = readFileSync(file)
    const data = kept.subarray(4)
    return kept.readUInt32LE(0) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** Writes under another name first, since programs start at the same time. A program without its cache works, too. */
function writeCache(file, script) {
  const fresh = `${file}.${process.pid}.${threadId}`
  try {
    const data = script.createCachedData()
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32LE(crc32(data))
    writeFileSync(fresh, Buffer.concat([checksum, data]))
    renameSync(fresh, file)
  } catch {
    // a full disk, or a folder that is gone
    rmSync(fresh, { force: true })
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

function watchEnd(ended) {
  let isSettled = false
  const settle = () => (isSettled = true)
  ended.then(settle, settle)
  process.once('beforeExit', () => {
    if (!isSettled) process.exitCode = unsettled
  })
}
