// npm test: everything there is to check. Ends with one line that counts the tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { build } from './build.mjs'
import { install, nodeFault } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'dist/test-results')
const lastLines = 60
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' }
const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js')

/** What is run, in this order; each step also when one before it failed, so that one run shows all that is wrong. */
const steps = [
  ['rules of the repository', process.execPath, ['scripts/check.mjs']],
  ['format', process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--check', '.']],
  ['types and lint', process.execPath, [nx, 'run-many', '-t', 'types', 'lint', '--output-style=static']],
  ['boundaries', process.execPath, ['scripts/check-boundaries.mjs']],
  ['tests', process.execPath, [nx, 'run-many', '-t', 'test', '--exclude', '@recto/e2e', '--output-style=static']],
  // Alone, since it starts the whole product, several times.
  ['end to end', process.execPath, [nx, 'run', '@recto/e2e:test', '--output-style=static']],
]

/** Runs a step, and shows what it says while keeping it. */
async function run([name, command, args]) {
  console.log(`\n== ${name}`)
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.on('data', chunk => {
      said += chunk
      to.write(chunk)
    })
  }
  const [code, signal] = await once(child, 'close')
  return { name, failed: code !== 0, ended: signal ?? `exit code ${code}`, said }
}

/** The failed tasks, as Nx lists them. */
function failedTasks({ said }) {
  return [...(stripVTControlCharacters(said).split('Failed tasks:')[1] ?? '').matchAll(/^- (\S+)$/gm)].map(
    ([, task]) => task,
  )
}

/**
 * Runs a step; suites that ended without a report are run once more, and that is said: then it was not a test that failed, but
 * what runs them that died.
 */
async function runAgainWhatDied(step) {
  const outcome = await run(step)
  const dead = failedTasks(outcome).filter(
    task => task.endsWith(':test') && !existsSync(join(results, `${task.slice(0, -':test'.length)}.json`)),
  )
  if (dead.length === 0) return [outcome]
  console.error(lastWords(outcome).join('\n'))
  console.error(`ENDED WITHOUT A REPORT, and so run again: ${dead.join(', ')}`)
  const again = []
  for (const task of dead) again.push(await run([task, process.execPath, [nx, 'run', task, '--output-style=static']]))
  return failedTasks(outcome).length > dead.length ? [outcome, ...again] : again
}

/** The last lines of each failed task, printed again at the end of the run. */
function lastWords(outcome) {
  const plain = stripVTControlCharacters(outcome.said)
  const tasks = failedTasks(outcome)
  const blocks = plain.split(/^> nx run /m)
  const ofTasks = tasks.map(task => [task, blocks.filter(block => block.startsWith(task)).join('')])
  return (ofTasks.length === 0 ? [['output', plain]] : ofTasks).map(
    ([task, text]) => `-- ${task}\n${text.trimEnd().split('\n').slice(-lastLines).join('\n')}`,
  )
}

/** Projects with tests that left no report: their run ended early. */
function withoutReport() {
  const projects = ['apps', 'libs'].flatMap(folder => readdirSync(join(root, folder)).map(name => `${folder}/${name}`))
  const manifests = [...projects, 'bench', 'e2e'].map(path => join(root, path, 'package.json')).filter(existsSync)
  const names = manifests
    .map(path => JSON.parse(readFileSync(path, 'utf8')))
    .filter(({ scripts }) => scripts?.test)
    .map(({ name }) => name)
  return names.filter(name => !existsSync(join(results, `${name}.json`)))
}

/** Adds up what Jest wrote. */
function counted() {
  const files = existsSync(results)
    ? readdirSync(results, { recursive: true }).filter(name => name.endsWith('.json'))
    : []
  const reports = files.map(name => JSON.parse(readFileSync(join(results, name), 'utf8')))
  const sum = key => reports.reduce((total, report) => total + report[key], 0)
  return {
    passed: sum('numPassedTests'),
    failed: sum('numFailedTests'),
    skipped: sum('numPendingTests') + sum('numTodoTests'),
  }
}

const fault = nodeFault()
if (fault) throw new Error(fault)
install()
await build()
rmSync(results, { recursive: true, force: true })
const failed = []
for (const step of steps) failed.push(...(await runAgainWhatDied(step)).filter(outcome => outcome.failed))
const { passed, failed: failedTests, skipped } = counted()
for (const step of failed) for (const words of lastWords(step)) console.error(words)
for (const { name, ended } of failed) console.error(`FAILED: ${name} (${ended})`)
const missing = withoutReport()
if (missing.length > 0) console.error(`FAILED: no report of ${missing.join(', ')}`)
console.log(`${passed} passed, ${failedTests} failed, ${skipped} skipped`)
process.exitCode = failed.length === 0 && missing.length === 0 && passed > 0 ? 0 : 1
