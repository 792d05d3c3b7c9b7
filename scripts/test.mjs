// npm test: everything there is to check. Ends with one line that counts the tests.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { install, nodeFault } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'dist/test-results')
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' }
const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js')

/** What is run, in this order; each step also when one before it failed, so that one run shows all that is wrong. */
const steps = [
  ['rules of the repository', process.execPath, ['scripts/check.mjs']],
  ['types and lint', process.execPath, [nx, 'run-many', '-t', 'types', 'lint', '--output-style=static']],
  ['boundaries', process.execPath, ['scripts/check-boundaries.mjs']],
  ['tests', process.execPath, [nx, 'run-many', '-t', 'test', '--exclude', '@recto/e2e', '--output-style=static']],
  // Alone, since it starts the whole product, several times.
  ['end to end', process.execPath, [nx, 'run', '@recto/e2e:test', '--output-style=static']],
]

function run([name, command, args]) {
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  return status === 0 ? [] : [name]
}

/** Adds up what vitest wrote; a file that is not there counts as nothing. */
function counted() {
  const files = readdirSync(results).filter(name => name.endsWith('.json'))
  const reports = files.map(name => JSON.parse(readFileSync(join(results, name), 'utf8')))
  const sum = key => reports.reduce((total, report) => total + report[key], 0)
  return { passed: sum('numPassedTests'), failed: sum('numFailedTests'), skipped: sum('numPendingTests') + sum('numTodoTests') }
}

const fault = nodeFault()
if (fault) throw new Error(fault)
install()
await build()
rmSync(results, { recursive: true, force: true })
const failed = steps.flatMap(run)
const { passed, failed: failedTests, skipped } = counted()
for (const name of failed) console.error(`FAILED: ${name}`)
console.log(`${passed} passed, ${failedTests} failed, ${skipped} skipped`)
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1
