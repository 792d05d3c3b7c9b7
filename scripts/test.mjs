// npm test: runs all checks and tests. The last line of output counts the tests. With `--quick`: those of what changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { testedProjects } from '../jest/tested-projects.mjs'
import { build } from './build.mjs'
import { install, nodeFault } from './install.mjs'
import { largeProjects } from './large-projects.mjs'
import { quickSteps } from './test-quick.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'dist/test-results')
const lastLines = 60
const shownFailures = 4
const linesOfFailure = 12
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' }
const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js')

/** The rule of module boundaries passes everything unless Nx has written its graph before. */
const graph = ['graph of the projects', process.execPath, [nx, 'show', 'projects']]

const tsc = join('node_modules', 'typescript-7', 'bin', 'tsc')
/** Threads would compute types again for each, and two checks run at a time. */
const alone = ['--singleThreaded']
const eslint = join('node_modules', 'eslint', 'bin', 'eslint.js')
const others = largeProjects.flatMap(folder => ['--ignore-pattern', folder])

/**
 * Checks that only read the sources, the longest first: two at a time. `npm run types` and `npm run lint` check each project on its own, which
 * reads the libraries again for each; here small projects share a program.
 */
const readings = [
  ['lint', process.execPath, [eslint, '--config', 'eslint.all.config.mjs', ...others, 'apps', 'libs', 'bench']],
  ['lint of the large projects', process.execPath, [eslint, ...largeProjects]],
  ['types', process.execPath, [tsc, '-p', 'tsconfig.all.json', ...alone]],
  ['boundaries', process.execPath, ['scripts/check-boundaries.mjs']],
  ['format', process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--check', '.']],
  ['types of the reader', process.execPath, [tsc, '-p', 'apps/reader', ...alone]],
  ['types of the end-to-end tests', process.execPath, [tsc, '-p', 'e2e', ...alone]],
  ['types of the browser', process.execPath, [tsc, '-p', 'apps/reader/src/browser', ...alone]],
  ['types of exported sites', process.execPath, [tsc, '-p', 'apps/cli/src/browser', ...alone]],
  ['rules of the repository', process.execPath, ['scripts/check.mjs']],
]

const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
const projects = testedProjects(root)
const isEndToEnd = ({ config }) => config === 'e2e'

/** The tests, one step after the other. Each step runs even when an earlier one failed, so that one run shows every fault. */
const tests = [
  {
    step: ['tests', process.execPath, [jest, '--config', 'jest/all.config.mjs']],
    projects: projects.filter(each => !isEndToEnd(each)),
  },
  // Runs alone, because it starts the whole product several times.
  {
    step: ['end to end', process.execPath, [jest, '--config', '../jest/e2e.config.mjs'], 'e2e'],
    projects: projects.filter(isEndToEnd),
  },
]

/** Runs a step and prints its output when it has ended. */
async function runQuietly(step) {
  const outcome = await run(step, () => undefined)
  console.log(`\n== ${outcome.name}\n${outcome.output}`)
  return outcome
}

/** Runs steps, some at a time. */
async function runTogether(steps, atATime) {
  const waiting = [...steps]
  const outcomes = []
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) outcomes.push(await runQuietly(step))
  }
  await Promise.all(Array.from({ length: atATime }, lane))
  return outcomes
}

/** Runs a step and collects its output while printing it. */
async function runLoudly(step) {
  console.log(`\n== ${step[0]}`)
  return run(step, (chunk, to) => to.write(chunk))
}

/** Runs a step and collects its output. */
async function run([name, command, args, folder = '.'], print) {
  const started = performance.now()
  const child = spawn(command, args, { cwd: join(root, folder), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.on('data', chunk => {
      output += chunk
      print(chunk, to)
    })
  }
  const [code, signal] = await once(child, 'close')
  const seconds = Math.round((performance.now() - started) / 1000)
  return { name, failed: code !== 0, ended: signal ?? `exit code ${code}`, output, seconds }
}

/** Projects whose tests left no report: their run ended early. */
function withoutReport(ran = projects) {
  return ran.map(({ name }) => name).filter(name => !existsSync(join(results, `${name}.json`)))
}

/** Runs tests, and again, with a message, where no report was written: in that case not a test failed, but the test runner crashed. */
async function runTests({ step, projects: ran }) {
  const outcome = await runLoudly(step)
  if (withoutReport(ran).length === 0) return outcome
  console.error(tailOf(outcome))
  console.error(`ENDED WITHOUT A REPORT, running again: ${step[0]}`)
  return runLoudly(step)
}

/** The last lines of a step that failed, printed again at the end of the run. */
function tailOf({ name, output }) {
  return `-- ${name}\n${stripVTControlCharacters(output).trimEnd().split('\n').slice(-lastLines).join('\n')}`
}

/** The reports that jest/results-reporter.cjs wrote. */
function reports() {
  const files = existsSync(results)
    ? readdirSync(results, { recursive: true }).filter(name => name.endsWith('.json'))
    : []
  return files.map(name => JSON.parse(readFileSync(join(results, name), 'utf8')))
}

/** Sums the counts of the reports. */
function counted(written) {
  const sum = key => written.reduce((total, report) => total + report[key], 0)
  return {
    passed: sum('numPassedTests'),
    failed: sum('numFailedTests'),
    skipped: sum('numPendingTests') + sum('numTodoTests'),
  }
}

/** The first failed tests with the beginning of their messages, short enough for the end of a log. */
function firstFailures(written) {
  return written
    .flatMap(({ failures }) => failures)
    .slice(0, shownFailures)
    .map(({ file, name, message }) => {
      const lines = stripVTControlCharacters(message)
        .split('\n')
        .filter(line => line.trim() !== '' && !line.includes('node_modules'))
      return [
        `FAILED: ${file}: ${name}`,
        ...lines.slice(0, linesOfFailure).map(line => `  ${line.slice(0, 200)}`),
      ].join('\n')
    })
}

const fault = nodeFault()
if (fault) throw new Error(fault)
install()
await build()
if (process.argv[2] === '--quick') await testQuickly(process.argv[3])
else await testAll()

/** Checks what changed since a commit, two steps at a time; prints what failed. */
async function testQuickly(since) {
  const failed = (await runTogether(quickSteps(root, since), 2)).filter(outcome => outcome.failed)
  for (const { name, ended } of failed) console.error(`FAILED: ${name} (${ended})`)
  console.log(
    failed.length === 0 ? 'What changed passes; npm test checks everything.' : `${failed.length} steps failed`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Checks and tests everything. */
async function testAll() {
  rmSync(results, { recursive: true, force: true })
  const outcomes = [await runQuietly(graph), ...(await runTogether(readings, 2))]
  for (const step of tests) outcomes.push(await runTests(step))
  console.log(`Seconds: ${outcomes.map(({ name, seconds }) => `${name} ${seconds}`).join(', ')}`)
  const failed = outcomes.filter(outcome => outcome.failed)
  const written = reports()
  const { passed, failed: failedTests, skipped } = counted(written)
  for (const step of failed) console.error(tailOf(step))
  for (const text of firstFailures(written)) console.error(text)
  for (const file of written.flatMap(({ leftOut }) => leftOut)) console.error(`NOT RUN, for lack of time: ${file}`)
  for (const { name, ended } of failed) console.error(`FAILED: ${name} (${ended})`)
  const missing = withoutReport()
  if (missing.length > 0) console.error(`FAILED: no report of ${missing.join(', ')}`)
  console.log(`${passed} passed, ${failedTests} failed, ${skipped} skipped`)
  process.exitCode = failed.length === 0 && missing.length === 0 && passed > 0 ? 0 : 1
}
