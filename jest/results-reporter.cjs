const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join, relative } = require('node:path')

const root = join(__dirname, '..')

/** The name of the project that a file belongs to. */
function projectOf(file) {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
}

/** The failed tests of a file; one entry for the file itself when it could not run. */
function failuresOf({ testFilePath, testResults, testExecError, failureMessage }) {
  const file = relative(root, testFilePath)
  if (testExecError) return [{ file, name: 'could not run', message: failureMessage ?? String(testExecError.message) }]
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ file, name: fullName, message: failureMessages.join('\n') }))
}

/** The numbers of passed, failed and skipped tests, the failures, the files that were not run, and the seconds of each file. */
function reportOf(files) {
  const sum = count => files.reduce((total, file) => total + count(file), 0)
  return {
    numPassedTests: sum(file => file.numPassingTests),
    numFailedTests: sum(file => file.numFailingTests + (file.testExecError ? 1 : 0)),
    numPendingTests: sum(file => file.numPendingTests),
    numTodoTests: sum(file => file.numTodoTests),
    failures: files.flatMap(failuresOf),
    leftOut: files.filter(file => file.isLeftOut).map(({ testFilePath }) => relative(root, testFilePath)),
    seconds: Object.fromEntries(
      files.map(({ testFilePath, perfStats }) => [relative(root, testFilePath), perfStats.runtime / 1000]),
    ),
  }
}

/** Writes a report of each project of a run to the file that nx.json and scripts/test.mjs read. */
module.exports = class {
  onRunComplete(_contexts, { testResults }) {
    const projects = new Map()
    for (const result of testResults) {
      const name = projectOf(result.testFilePath)
      projects.set(name, [...(projects.get(name) ?? []), result])
    }
    for (const [name, files] of projects) {
      const file = join(root, 'dist/test-results', `${name}.json`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(reportOf(files)))
    }
  }
}
