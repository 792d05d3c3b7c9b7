// Installs packages that are missing or differ from the lock file. Uses built-in modules only, because no package may be installed yet.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldestNode = [20, 19]

/** The reason why this version of Node is unsupported, or undefined. */
export function nodeFault(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNewEnough
    ? undefined
    : `Recto needs Node ${oldestNode.join('.')} or newer (24 is recommended), and this is ${version}.`
}

/** Runs `npm ci` unless the packages of the lock file are installed; throws an `Error` when npm fails. */
export function install(say = console.log) {
  if (isInstalled()) return
  say('Installing packages (a minute or less)')
  // npm sets npm_execpath for its child processes; without it, npm is found through PATH.
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

/** Whether npm's record of installed packages matches the lock file. Modification times are unreliable: git and npm rewrite both files. */
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
