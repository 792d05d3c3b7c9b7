// Bundles each apps/<name>/src/main.ts to dist/apps/<name>/main.js, and the modules of its worker threads (src/*-worker.ts) beside it.
// Bundles contain only code of this repository; those of processes load packages from dist/packages (bundle-packages.mjs). A folder `templates` of an app is copied, and openapi.json for the gateway. What an app
// has for browsers (src/browser and src/styles) becomes files of its folder `assets`, with the packages that it uses.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackages, fileOf, installedIn, isBundled, packageOf } from './bundle-packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/apps')
const stamp = join(output, 'built')

/** Builds all apps when a source changed since the last build; returns the names of all apps. */
export async function build(say = console.log) {
  const apps = readdirSync(join(root, 'apps')).filter(name => existsSync(join(root, 'apps', name, 'src/main.ts')))
  const fingerprint = fingerprintOf(['apps', 'libs', 'scripts', 'package-lock.json', 'openapi.json'])
  const isCurrent =
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === fingerprint &&
    existsSync(join(root, 'dist/packages/built')) &&
    apps.every(name => existsSync(join(output, name, 'main.js')))
  if (isCurrent) return apps
  say('Building')
  const forBrowsers = apps.map(name => bundleForBrowsers(name, join(output, name, 'assets')))
  const packages = { from: '../../packages', names: new Map() }
  const others = apps.filter(name => name !== commandApp)
  const lazyModules = lazyModulesOf(commandApp)
  await Promise.all([
    bundle(entriesOf(others), output, { packages }),
    bundle({ ...entriesOf([commandApp]), ...lazyModules }, output, { packages, lazyModules }),
    ...forBrowsers,
  ])
  removeOtherBundles(commandApp, Object.keys({ ...entriesOf([commandApp]), ...lazyModules }))
  await bundlePackages(packages.names, write)
  // Its process would live, and wake fifty times a second, as long as the one that builds: that is the launcher.
  await (await import('esbuild')).stop()
  apps.forEach(copyTemplates)
  write(
    join(output, 'gateway/openapi.json'),
    JSON.stringify(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))),
  )
  write(stamp, fingerprint)
  return apps
}

/**
 * The app of the author's commands, which wait for what they load: each module that it imports dynamically is a bundle beside `main.js`, with
 * nothing that it does not use. Parts that bundles share would hold what any of them uses.
 */
const commandApp = 'cli'

/** esbuild entry points: the `main.ts` of each app, bundled as `<name>/main.js`, and its modules of worker threads. */
const entriesOf = apps =>
  Object.fromEntries(apps.flatMap(name => [[`${name}/main`, `apps/${name}/src/main.ts`], ...workersOf(name)]))

/**
 * Bundles scripts and style sheets of an app for browsers: its `main.ts` as `<name of the app>.js`, if there is one, and each script of the
 * folder `optional`, which only some pages load, and each sheet under its own name.
 */
export async function bundleForBrowsers(name, outdir) {
  const source = join(root, 'apps', name, 'src')
  if (!existsSync(join(source, 'browser'))) return
  const main = join(source, 'browser/main.ts')
  const sheets = filesIn(join(source, 'styles')).filter(file => file.endsWith('.css') && !file.includes(sep))
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      ...(existsSync(main) ? [{ in: main, out: name }] : []),
      ...filesIn(join(source, 'browser/optional')).map(file => ({
        in: join(source, 'browser/optional', file),
        out: file.replace(/\.ts$/, ''),
      })),
      ...sheets.map(file => ({ in: join(source, 'styles', file), out: file.replace(/\.css$/, '') })),
    ],
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome117', 'firefox121', 'safari17'],
    // Browsers of today read WOFF 2; other formats of a font are left out.
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
    assetNames: '[name]',
    write: false,
    logLevel: 'error',
  })
  for (const { path, contents } of outputFiles) write(path, contents)
  await bundleFrames(join(source, 'browser/frame'), outdir)
}

/** Bundles each script of a folder for frames, in parts that are loaded when they are needed. */
async function bundleFrames(folder, outdir) {
  if (!existsSync(folder)) return
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: readdirSync(folder).map(file => join(folder, file)),
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome117', 'firefox121', 'safari17'],
    chunkNames: '[name]-[hash]',
    write: false,
    logLevel: 'error',
  })
  // They would be served, and counted, too.
  removeOldParts(outdir, outputFiles)
  for (const { path, contents } of outputFiles) write(path, contents)
}

/** Removes the parts of a version before from a folder. */
function removeOldParts(folder, outputFiles) {
  const names = new Set(outputFiles.map(({ path }) => basename(path)))
  const isOld = file => /-[A-Z0-9]{8}\.js(\.map)?$/.test(file) && !names.has(file)
  if (existsSync(folder)) for (const file of readdirSync(folder).filter(isOld)) rmSync(join(folder, file))
}

/** The modules that worker threads of an app run, bundled under their own name. */
const workersOf = name =>
  readdirSync(join(root, 'apps', name, 'src'))
    .filter(file => file.endsWith('-worker.ts'))
    .map(file => [`${name}/${file.replace(/\.ts$/, '')}`, `apps/${name}/src/${file}`])

/** Copies each file atomically and removes others, because several builds may run at the same time. */
function copyTemplates(name) {
  const source = join(root, 'apps', name, 'templates')
  const target = join(output, name, 'templates')
  const files = filesIn(source)
  for (const file of files) write(join(target, file), readFileSync(join(source, file)))
  const known = new Set(files.map(file => file.split(sep)[0]))
  if (!existsSync(target)) return
  for (const folder of readdirSync(target))
    if (!known.has(folder)) rmSync(join(target, folder), { recursive: true, force: true })
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/**
 * Bundles each source into `<outdir>/<name>.js`; `entries` maps names to sources. Packages are loaded from node_modules, or, with `packages`,
 * from a folder that is relative to the bundles; then the names that bundles import are collected by specifier. Dynamic imports of
 * `lazyModules` stay: those are bundles themselves.
 */
export async function bundle(entries, outdir, { packages, lazyModules } = {}) {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    write: false,
    logLevel: 'error',
    plugins: [onlyOurs(packages), ...(lazyModules ? [lazyImports(lazyModules)] : [])],
  })
  for (const { path, contents } of outputFiles) write(path, contents)
  if (packages) for (const { path, text } of outputFiles) if (path.endsWith('.js')) collectNames(text, packages)
}

/** The modules that an app imports dynamically, as entry points: bundles beside its `main.js`, by their own names. */
function lazyModulesOf(name) {
  const source = join(root, 'apps', name, 'src')
  const files = filesIn(source).filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = new Map()
  for (const file of files)
    for (const [, path] of readFileSync(join(source, file), 'utf8').matchAll(/\bimport\('(\.[^']+)\.ts'\)/g)) {
      const bundleName = `${name}/${basename(path)}`
      const module = relative(root, join(source, dirname(file), `${path}.ts`))
      if ((modules.get(bundleName) ?? module) !== module) throw new Error(`Two modules would be ${bundleName}.js`)
      modules.set(bundleName, module)
    }
  return Object.fromEntries(modules)
}

/** Keeps dynamic imports of the modules that are bundles themselves. */
const lazyImports = lazyModules => ({
  name: 'lazy-imports',
  setup({ onResolve }) {
    const sources = new Set(Object.values(lazyModules))
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) => {
      const isLazy = kind === 'dynamic-import' && sources.has(relative(root, join(resolveDir, path)))
      return isLazy ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined
    })
  },
})

/** Removes bundles of an app from before. */
function removeOtherBundles(name, entries) {
  const known = new Set(entries.flatMap(entry => [`${basename(entry)}.js`, `${basename(entry)}.js.map`]))
  for (const file of readdirSync(join(output, name)))
    if (/\.js(\.map)?$/.test(file) && !known.has(file)) rmSync(join(output, name, file))
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

const builtins = new Set(builtinModules)

/** Whether a library lacks `sideEffects: false`; with it, esbuild drops the library and its packages where no export is used. */
function hasSideEffects(library) {
  return manifestOf(library).sideEffects !== false
}

/** Whether importing a package without a name does something: unless it says no, or lists other files, without patterns, that do. */
function hasPackageSideEffects(specifier) {
  const folder = join(root, 'node_modules', packageOf(specifier))
  const { sideEffects = true } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!Array.isArray(sideEffects)) return sideEffects
  const module = fileURLToPath(import.meta.resolve(specifier))
  return sideEffects.some(file => file.includes('*') || join(folder, file) === module)
}

/** The folder of a library: npm links it by the name of its package. */
function folderOf(library) {
  return realpathSync(join(root, 'node_modules/@recto', library))
}

function manifestOf(library) {
  return JSON.parse(readFileSync(join(folderOf(library), 'package.json'), 'utf8'))
}

/** The source of a library, or of a part of it that its package.json exports. */
function sourceOf(specifier) {
  const [, library, ...rest] = specifier.split('/')
  const source = manifestOf(library).exports?.[['.', ...rest].join('/')]
  if (typeof source !== 'string') throw new Error(`The library ${library} does not export ${specifier}`)
  return join(folderOf(library), source)
}

/**
 * Keeps packages external, except those that npm nested below an app or a library because of a version conflict: from dist/
 * Node resolves only the top-level node_modules.
 */
const onlyOurs = packages => ({
  name: 'only-ours',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      if (path.startsWith('node:') || builtins.has(path)) return { external: true }
      const [scope, name] = path.split('/')
      if (scope === '@recto') return { path: sourceOf(path), sideEffects: hasSideEffects(name) }
      // A workspace with a version of its own has it in its bundle.
      const folder = installedIn(packageOf(path), dirname(importer))
      if (folder?.startsWith(join(root, '/'))) return undefined
      if (!packages || kind === 'dynamic-import' || !isBundled(path)) return { path, external: true }
      if (!packages.names.has(path)) packages.names.set(path, new Set())
      return { path: `${packages.from}/${fileOf(path)}`, external: true, sideEffects: hasPackageSideEffects(path) }
    })
  },
})

/** A hash of the names, modification times and sizes of all sources. */
function fingerprintOf(paths) {
  const hash = createHash('sha256').update(process.versions.node)
  const visit = path => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat) return
    if (!stat.isDirectory()) hash.update(`${path} ${stat.mtimeMs} ${stat.size}\n`)
    else for (const name of readdirSync(join(root, path)).sort()) if (name !== 'node_modules') visit(`${path}/${name}`)
  }
  paths.forEach(visit)
  return hash.digest('hex')
}

// Writes a temporary file and renames it, so that a process that starts at the same time never reads a partial file.
function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, contents)
  renameSync(fresh, path)
}

// node scripts/build.mjs [<outdir> <name>...]; `workers <outdir> <name>` bundles only the modules of worker threads, for tests, and
// `browsers <outdir> <name>` what is for browsers.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outdir, ...names] = process.argv
  if (outdir === 'browsers') await bundleForBrowsers(names[1], names[0])
  else if (outdir === 'workers') await bundle(Object.fromEntries(names.slice(1).flatMap(workersOf)), names[0])
  else await (outdir ? bundle(entriesOf(names), outdir) : build())
}
