// npm test: runs all checks and tests. The last line of output counts the tests.
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

/** The steps in order; each runs even when an earlier one failed, so that one run shows every fault. */
const steps = [
  ['rules of the repository', process.execPath, ['scripts/check.mjs']],
  ['format', process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--check', '.']],
  ['types and lint', process.execPath, [nx, 'run-many', '-t', 'types', 'lint', '--output-style=static']],
  ['boundaries', process.execPath, ['scripts/check-boundaries.mjs']],
  ['tests', process.execPath, [nx, 'run-many', '-t', 'test', '--exclude', '@recto/e2e', '--output-style=static']],
  // Runs alone, because it starts the whole product several times.
  ['end to end', process.execPath, [nx, 'run', '@recto/e2e:test', '--output-style=static']],
]

/** Runs a step and collects its output while printing it. */
async function run([name, command, args]) {
  console.log(`\n== ${name}`)
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.on('data', chunk => {
      output += chunk
      to.write(chunk)
    })
  }
  const [code, signal] = await once(child, 'close')
  return { name, failed: code !== 0, ended: signal ?? `exit code ${code}`, output }
}

/** The failed tasks, as Nx lists them. */
function failedTasks({ output }) {
  return [...(stripVTControlCharacters(output).split('Failed tasks:')[1] ?? '').matchAll(/^- (\S+)$/gm)].map(
    ([, task]) => task,
  )
}

/**
 * Runs a step, and reruns suites that ended without a report once, with a message: in that case not a test failed, but the test runner
 * crashed.
 */
async function runWithRetry(step) {
  const outcome = await run(step)
  const dead = failedTasks(outcome).filter(
    task => task.endsWith(':test') && !existsSync(join(results, `${task.slice(0, -':test'.length)}.json`)),
  )
  if (dead.length === 0) return [outcome]
  console.error(outputTails(outcome).join('\n'))
  console.error(`ENDED WITHOUT A REPORT, running again: ${dead.join(', ')}`)
  const again = []
  for (const task of dead) again.push(await run([task, process.execPath, [nx, 'run', task, '--output-style=static']]))
  return failedTasks(outcome).length > dead.length ? [outcome, ...again] : again
}

/** The last lines of each failed task, printed again at the end of the run. */
function outputTails(outcome) {
  const plain = stripVTControlCharacters(outcome.output)
  const tasks = failedTasks(outcome)
  const blocks = plain.split(/^> nx run /m)
  const ofTasks = tasks.map(task => [task, blocks.filter(block => block.startsWith(task)).join('')])
  return (ofTasks.length === 0 ? [['output', plain]] : ofTasks).map(
    ([task, text]) => `-- ${task}\n${text.trimEnd().split('\n').slice(-lastLines).join('\n')}`,
  )
}

/** Projects with tests but without a report: their run ended early. */
function withoutReport() {
  const projects = ['apps', 'libs'].flatMap(folder => readdirSync(join(root, folder)).map(name => `${folder}/${name}`))
  const manifests = [...projects, 'bench', 'e2e'].map(path => join(root, path, 'package.json')).filter(existsSync)
  const names = manifests
    .map(path => JSON.parse(readFileSync(path, 'utf8')))
    .filter(({ scripts }) => scripts?.test)
    .map(({ name }) => name)
  return names.filter(name => !existsSync(join(results, `${name}.json`)))
}

/** Sums the counts of the Jest reports. */
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
for (const step of steps) failed.push(...(await runWithRetry(step)).filter(outcome => outcome.failed))
const { passed, failed: failedTests, skipped } = counted()
for (const step of failed) for (const tail of outputTails(step)) console.error(tail)
for (const { name, ended } of failed) console.error(`FAILED: ${name} (${ended})`)
const missing = withoutReport()
if (missing.length > 0) console.error(`FAILED: no report of ${missing.join(', ')}`)
console.log(`${passed} passed, ${failedTests} failed, ${skipped} skipped`)
process.exitCode = failed.length === 0 && missing.length === 0 && passed > 0 ? 0 : 1
