// Bundles programs for Node with the packages that they use, as scripts that are loaded with V8's code cache (load-program.cjs, decision 0098).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modulesOf, onlyOurs, packageOf, write } from './bundle.mjs'
import { bundlePackages, fileOf, isBundled, packagesFolder } from './bundle-packages.mjs'
import { asCommonJs } from './common-js.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles each source with its packages into `<outdir>/<app>/<name>-<hash>.js`, and a module `<outdir>/<app>/<name>.js` that loads it;
 * `entries` maps `<app>/<name>` to sources. Entries that others import dynamically stay programs of their own, and packages that are
 * imported dynamically are loaded from node_modules. Returns the paths of the programs; those of builds before are removed.
 */
export async function bundlePrograms(entries, outdir) {
  const names = new Map()
  const from = relative(join(outdir, 'app'), packagesFolder)
  const files = await modulesOf(entries, {
    outdir,
    plugins: [
      otherPrograms(Object.values(entries)),
      onlyOurs((path, kind) => bundledPackage(path, kind, { from, names })),
    ],
  })
  for (const { text } of files) collectNames(text, { from, names })
  const packages = await bundlePackages(names)
  write(join(outdir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
  write(join(outdir, 'load-program.js'), readFileSync(join(root, 'scripts/load-program.cjs')))
  const written = await Promise.all(
    files.map(async ({ path, text }) =>
      writeProgram(path, await asCommonJs({ path, text, folder: packagesFolder }), packages),
    ),
  )
  removeOthers(new Set(written.flat()))
  return written.map(([program]) => program)
}

/** Keeps dynamic imports of programs. The filter names them: a plugin is asked only for what may be one. */
const otherPrograms = sources => ({
  name: 'other-programs',
  setup({ onResolve }) {
    const names = sources.map(source => basename(source, '.ts')).join('|')
    onResolve({ filter: new RegExp(`^\\..*/(?:${names})\\.ts$`) }, ({ path, kind, resolveDir }) => {
      const isProgram = kind === 'dynamic-import' && sources.includes(relative(root, join(resolveDir, path)))
      return isProgram ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined
    })
  },
})

/** Where a program finds a package; `names` gets its specifier. */
function bundledPackage(specifier, kind, { from, names }) {
  if (kind === 'dynamic-import' || !isBundled(specifier)) return { path: specifier }
  if (!names.has(specifier)) names.set(specifier, new Set())
  if (!sideEffects.has(specifier)) sideEffects.set(specifier, hasSideEffects(specifier))
  return { path: `${from}/${fileOf(specifier)}`, sideEffects: sideEffects.get(specifier) }
}

const sideEffects = new Map()

/** Whether importing a package without a name does something: unless it says no, or lists other files, without patterns, that do. */
function hasSideEffects(specifier) {
  const folder = join(root, 'node_modules', packageOf(specifier))
  const { sideEffects: files = true } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!Array.isArray(files)) return files
  const module = fileURLToPath(import.meta.resolve(specifier))
  return files.some(file => file.includes('*') || join(folder, file) === module)
}

const importOrExport = /^(?:import|export) (?:([\w$\\]+)(?:, )?)?(\{[^}]*\}|\*[\w $\\]*)?(?: ?from )?"([^"]+)";$/gm

/** Adds the names that a bundle imports from packages, as esbuild prints them; `*` for all. Throws when it does not know a form of import. */
function collectNames(code, { from, names }) {
  const specifiers = new Map([...names.keys()].map(specifier => [`${from}/${fileOf(specifier)}`, specifier]))
  const imports = [...code.matchAll(importOrExport)].filter(([, , , path]) => path.startsWith(`${from}/`))
  const count = code.match(/^.*[ }]"(?:\.\.\/)+packages\/[^"]+\.js";$/gm)?.length ?? 0
  if (imports.length !== count)
    throw new Error(`${count - imports.length} imports of packages have a form that is not known`)
  for (const [, ownDefault, clause = '', path] of imports) {
    const used = names.get(specifiers.get(path))
    if (ownDefault) used.add('default')
    if (clause.startsWith('*')) used.add('*')
    else for (const part of clause.match(/[\w$]+(?: as [\w$]+)?/g) ?? []) used.add(part.split(' ')[0])
  }
}

/** Writes a program with the modules of packages that it needs, and the module that loads it; returns their paths. */
function writeProgram(path, { code, needed }, packages) {
  const modules = new Set(needed)
  // A set goes on with what is added while it is read.
  for (const name of modules) for (const other of packages[name].needed) modules.add(other)
  const bodies = [...modules].map(name => [name, packages[name].code])
  const program = Buffer.from(programOf(code, bodies))
  const hash = createHash('sha256').update(program).digest('hex').slice(0, 16)
  const file = path.replace(/\.js$/, `-${hash}.js`)
  write(file, program)
  const exported = /^0 && \(module\.exports = \{[^}]*\}\);?$/m.exec(code)?.[0] ?? ''
  write(path, `module.exports = require('../load-program.js').load(__dirname, '${basename(file)}')\n${exported}\n`)
  return [file, path]
}

/**
 * A script that is a function, as Node makes one of a module of CommonJS, with modules of packages before the program's own code. The
 * parentheses let V8 compile at once what is called at once.
 */
function programOf(code, packageBodies) {
  const bodies = packageBodies.map(([name, body]) => `${JSON.stringify(name)}: (function (module) {\n${body}})`)
  return `(function (exports, require, module, __filename, __dirname, importModule) {
'use strict'
const urlOfProgram = require('node:url').pathToFileURL(__filename).href
const loaded = new Map()
function packageModule(name) {
  const known = loaded.get(name)
  if (known) return known.exports
  const module = { exports: {} }
  loaded.set(name, module)
  bodies[name](module)
  return module.exports
}
const bodies = {
${bodies.join(',\n')}
}
${code}})
`
}

/** Milliseconds for which programs of another build stay: that may go on at the same time, or have just been started. */
const keptFor = 3_600_000

/** Removes programs of builds before, what V8 keeps of them, and files that were not renamed. */
function removeOthers(paths) {
  for (const folder of new Set([...paths].map(dirname)))
    for (const path of readdirSync(folder).map(name => join(folder, name))) {
      if (!/\.js(\.|$)/.test(path) || paths.has(path.replace(/(\.js)\.(\w+\.)?cache$/, '$1'))) continue
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - changed > keptFor) rmSync(path, { force: true })
    }
}
