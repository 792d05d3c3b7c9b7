// Installs the packages when they are missing or not those of the lock file. Node's own modules only: it runs before any package is there.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldestNode = [20, 19]

/** Says why this Node does not do, or nothing. */
export function nodeFault(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNewEnough ? undefined : `Recto needs Node ${oldestNode.join('.')} or newer, and this is ${version}.`
}

/** Installs what the lock file names when that has not been done yet; throws when npm fails. */
export function install(say = console.log) {
  if (isInstalled()) return
  say('Installing packages (a minute or less)')
  // npm tells its children where it is; without that the one of the PATH is taken.
  const npm = process.env.npm_execpath
  const [file, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const { status, error } = spawnSync(
    file,
    [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (error) throw new Error(`npm cannot be run: ${error.message}`)
  if (status !== 0) throw new Error(`npm ci failed with exit code ${status}; see above`)
}

/** Whether what npm says it installed is what the lock file names. Times tell nothing: git and npm write when they like. */
function isInstalled() {
  const lock = packagesOf('package-lock.json')
  const installed = packagesOf('node_modules/.package-lock.json')
  if (!lock || !installed) return false
  const wanted = Object.entries(lock).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.optional,
  )
  return wanted.every(([path, { version }]) => installed[path]?.version === version)
}

function packagesOf(path) {
  const file = new URL(`../${path}`, import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}
