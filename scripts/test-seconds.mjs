// npm run test-seconds: writes the seconds of the slow test files of the last `npm test` to jest/seconds.json, by which jest/longest-first.cjs sorts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const results = new URL('dist/test-results/', root)
/** Files that take less are not worth a place at the beginning. */
const leastSeconds = 8

const reports = readdirSync(results, { recursive: true }).filter(name => name.endsWith('.json'))
const seconds = reports.flatMap(name =>
  Object.entries(JSON.parse(readFileSync(new URL(name, results), 'utf8')).seconds),
)
const slow = seconds.filter(([, each]) => each >= leastSeconds).sort(([, one], [, other]) => other - one)
writeFileSync(
  fileURLToPath(new URL('jest/seconds.json', root)),
  `${JSON.stringify(Object.fromEntries(slow.map(([file, each]) => [file, Math.round(each)])), undefined, 2)}\n`,
)
