const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

/** Writes the numbers of passed, failed and skipped tests to the file that nx.json and scripts/test.mjs read. */
module.exports = class {
  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites },
  ) {
    const { name } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'))
    const file = join(__dirname, '../dist/test-results', `${name}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      JSON.stringify({
        numPassedTests,
        numFailedTests: numFailedTests + numRuntimeErrorTestSuites,
        numPendingTests,
        numTodoTests,
      }),
    )
  }
}
