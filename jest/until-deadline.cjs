const { join, relative } = require('node:path')
const { createEmptyTestResult } = require('@jest/test-result')
const { default: runCircus } = require('jest-circus/runner')
const seconds = require('./seconds.json')

const root = join(__dirname, '..')
/** Files that took as many seconds always run: kills, restores, permissions. */
const longFile = 60

/** Seconds since 1970 at which no further short file begins: `TEST_DEADLINE`, which `.ci/run` sets. Without it, all files run. */
const deadline = Number(process.env.TEST_DEADLINE) || Infinity

/**
 * Jest's own test runner, up to a deadline: a run that is killed by the clock reports nothing, one that ends in time says which files it
 * had no time for. A file that does not begin has one skipped test, which says why.
 */
module.exports = (globalConfig, config, environment, runtime, path, sendMessage) =>
  Date.now() / 1000 < deadline || (seconds[relative(root, path)] ?? 0) >= longFile
    ? runCircus(globalConfig, config, environment, runtime, path, sendMessage)
    : Promise.resolve(leftOut(path))

/** The result of a file that was not run. */
function leftOut(testFilePath) {
  const title = 'was not run, because TEST_DEADLINE had passed'
  const test = {
    ancestorTitles: [],
    failureDetails: [],
    failureMessages: [],
    fullName: title,
    status: 'pending',
    title,
  }
  return { ...createEmptyTestResult(), testFilePath, numPendingTests: 1, testResults: [test], isLeftOut: true }
}
