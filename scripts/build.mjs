// Bundles each apps/<name>/src/main.ts, with its packages, to dist/apps/<name>/main.js, and the modules of its worker threads
// (src/*-worker.ts) beside it. A folder `templates` of an app is copied, and openapi.json for the gateway. What an app has for browsers
// (src/browser and src/styles) becomes files of its folder `assets`.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleForBrowsers, bundleModules, filesIn, stopEsbuild, write } from './bundle.mjs'
import { bundlePrograms } from './bundle-programs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/apps')
const stamp = join(output, 'built')

/** Builds all apps when a source changed since the last build; returns the names of all apps. */
export async function build(say = console.log) {
  const apps = readdirSync(join(root, 'apps')).filter(name => existsSync(join(root, 'apps', name, 'src/main.ts')))
  const fingerprint = fingerprintOf(['apps', 'libs', 'scripts', 'package-lock.json', 'openapi.json'])
  const built = readBuilt()
  const isCurrent = built?.fingerprint === fingerprint && built.programs.every(path => existsSync(join(output, path)))
  if (isCurrent) return apps
  say('Building')
  const forBrowsers = apps.map(name => bundleForBrowsers(name, join(output, name, 'assets')))
  const [programs] = await Promise.all([
    bundlePrograms({ ...entriesOf(apps), ...lazyModulesOf(commandApp) }, output),
    ...forBrowsers,
  ])
  // The launcher goes on in this process.
  await stopEsbuild()
  apps.forEach(copyTemplates)
  write(
    join(output, 'gateway/openapi.json'),
    JSON.stringify(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))),
  )
  write(stamp, JSON.stringify({ fingerprint, programs: programs.map(path => relative(output, path)) }))
  return apps
}

/** The sources of the last build, as a fingerprint, and its programs; undefined when there was none. */
function readBuilt() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The app of the author's commands, which wait for what they load: each module that it imports dynamically is a bundle beside `main.js`, with
 * nothing that it does not use. Parts that bundles share would hold what any of them uses.
 */
const commandApp = 'cli'

/** esbuild entry points: the `main.ts` of each app, bundled as `<name>/main.js`, and its modules of worker threads. */
const entriesOf = apps =>
  Object.fromEntries(apps.flatMap(name => [[`${name}/main`, `apps/${name}/src/main.ts`], ...workersOf(name)]))

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

// node scripts/build.mjs [<outdir> <name>...]; `workers <outdir> <name>` bundles only the modules of worker threads, for tests, and
// `browsers <outdir> <name>` what is for browsers.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outdir, ...names] = process.argv
  if (outdir === 'browsers') await bundleForBrowsers(names[1], names[0])
  else if (outdir === 'workers') await bundleModules(Object.fromEntries(names.slice(1).flatMap(workersOf)), names[0])
  else await (outdir ? bundleModules(entriesOf(names), outdir) : build())
}
