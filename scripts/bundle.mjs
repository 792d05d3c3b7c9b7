// Bundles sources with esbuild: modules for Node, whose packages stay outside, and scripts and style sheets for browsers.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

let started

/**
 * esbuild, whose process collects garbage less often than programs of Go usually do: a sixth of the time of a build, for 200 MB more. What
 * else this process starts is not affected.
 */
export function loadEsbuild() {
  started ??= startEsbuild()
  return started
}

async function startEsbuild() {
  const esbuild = await import('esbuild')
  const given = process.env.GOGC
  process.env.GOGC ??= '300'
  const ready = esbuild.transform('')
  if (given === undefined) delete process.env.GOGC
  await ready
  return esbuild
}

/** Ends the process of esbuild: it would live, and wake fifty times a second, as long as this one. */
export async function stopEsbuild() {
  const esbuild = await started
  started = undefined
  await esbuild?.stop()
}

/** Bundles sources as modules for Node; `entries` maps their names in `outdir` to them. Resolves to the files, which are not written yet. */
export async function modulesOf(entries, { outdir, ...options }) {
  const esbuild = await loadEsbuild()
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'error',
    ...options,
  })
  return outputFiles
}

/** Bundles each source into the module `<outdir>/<name>.js`. Packages are loaded from node_modules. */
export async function bundleModules(entries, outdir) {
  const files = await modulesOf(entries, { outdir, sourcemap: true, plugins: [onlyOurs()] })
  for (const { path, contents } of files) write(path, contents)
}

/**
 * Bundles scripts and style sheets of an app for browsers: its `main.ts` as `<name of the app>.js`, if there is one, and each script of the
 * folder `optional`, which only some pages load, and each sheet under its own name.
 */
export async function bundleForBrowsers(name, outdir) {
  const source = join(root, 'apps', name, 'src')
  if (!existsSync(join(source, 'browser'))) return
  const main = join(source, 'browser/main.ts')
  const sheets = filesIn(join(source, 'styles')).filter(file => file.endsWith('.css') && !file.includes(sep))
  const esbuild = await loadEsbuild()
  const { outputFiles } = await esbuild.build({
    ...forBrowsers,
    entryPoints: [
      ...(existsSync(main) ? [{ in: main, out: name }] : []),
      ...filesIn(join(source, 'browser/optional')).map(file => ({
        in: join(source, 'browser/optional', file),
        out: file.replace(/\.ts$/, ''),
      })),
      ...sheets.map(file => ({ in: join(source, 'styles', file), out: file.replace(/\.css$/, '') })),
    ],
    outdir,
    // Browsers of today read WOFF 2; other formats of a font are left out.
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
    assetNames: '[name]',
  })
  for (const { path, contents } of outputFiles) write(path, contents)
  await bundleFrames(join(source, 'browser/frame'), outdir)
}

const forBrowsers = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome117', 'firefox121', 'safari17'],
  write: false,
  logLevel: 'error',
}

/** Bundles each script of a folder for frames, in parts that are loaded when they are needed. */
async function bundleFrames(folder, outdir) {
  if (!existsSync(folder)) return
  const esbuild = await loadEsbuild()
  const { outputFiles } = await esbuild.build({
    ...forBrowsers,
    entryPoints: readdirSync(folder).map(file => join(folder, file)),
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
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

/** The files of a folder and of those below it, by their paths in it; none when there is no such folder. */
export function filesIn(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/** Writes a temporary file and renames it, so that a process that starts at the same time never reads a partial file. */
export function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, contents)
  renameSync(fresh, path)
}

/** Whether a specifier is of Node itself. */
export const isBuiltin = path => path.startsWith('node:') || builtinModules.includes(path)

/** The name of a package in a specifier, such as `@scope/name` in `@scope/name/part`. */
export const packageOf = specifier =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The folder above a file in whose node_modules a package is found first; undefined for one that is not installed. */
export function installedIn(name, from) {
  for (let at = from; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'node_modules', name))) return at
  return undefined
}

/**
 * Keeps packages external, except those that npm nested below an app or a library because of a version conflict: from dist/ Node resolves
 * only the top-level node_modules. `external(specifier, kind)` may give another path of a package.
 */
export const onlyOurs = (external = path => ({ path })) => ({
  name: 'only-ours',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      // esbuild finds libraries itself, by their exports.
      if (kind === 'entry-point' || path.startsWith('@recto/')) return undefined
      if (isBuiltin(path)) return { external: true }
      // A workspace with a version of its own has it in its bundle.
      const isNested = installedIn(packageOf(path), dirname(importer))?.startsWith(join(root, '/'))
      return isNested ? undefined : { ...external(path, kind), external: true }
    })
  },
})
