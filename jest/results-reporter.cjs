const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join, relative } = require('node:path')

const root = join(__dirname, '..')

/** The failed tests of a file; one entry for the file itself when it could not run. */
function failuresOf({ testFilePath, testResults, testExecError, failureMessage }) {
  const file = relative(root, testFilePath)
  if (testExecError) return [{ file, name: 'could not run', message: failureMessage ?? String(testExecError.message) }]
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ file, name: fullName, message: failureMessages.join('\n') }))
}

/**
 * Writes the numbers of passed, failed and skipped tests, the failures and the seconds of each file to the file that nx.json and
 * scripts/test.mjs read.
 */
module.exports = class {
  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites, testResults },
  ) {
    const { name } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'))
    const file = join(root, 'dist/test-results', `${name}.json`)
    mkdirSync(dirname(file), { recursive: true })
    const seconds = testResults.map(({ testFilePath, perfStats }) => [
      relative(root, testFilePath),
      perfStats.runtime / 1000,
    ])
    writeFileSync(
      file,
      JSON.stringify({
        numPassedTests,
        numFailedTests: numFailedTests + numRuntimeErrorTestSuites,
        numPendingTests,
        numTodoTests,
        failures: testResults.flatMap(failuresOf),
        seconds: Object.fromEntries(seconds),
      }),
    )
  }
}
