import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from '@jest/globals'
import { config } from './config.ts'

// The guarantee of jest/runtime.cjs: a test uses the same Node globals and packages as a program.
it('an error of Node is an instance of Error', async () => {
  expect(await readFile('/nowhere').catch((error: unknown) => error)).toBeInstanceOf(Error)
})

it('an array created by Node is an instance of Array in the test', () => {
  expect(structuredClone([1])).toBeInstanceOf(Array)
})

it('a package is the one that Node itself loads', () => {
  expect(pg.Client).toBe((createRequire(import.meta.url)('pg') as typeof pg).Client)
})

/** A test that observes marks, and goes on to. */
const observing = `import { PerformanceObserver } from 'node:perf_hooks'
it('observes', async () => {
  globalThis.observed = []
  new PerformanceObserver(list => globalThis.observed.push(...list.getEntries().map(each => each.name))).observe({ entryTypes: ['mark'] })
  performance.mark('a')
  while (globalThis.observed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
})`

const testFile = (text: string) => `import { expect, it } from '@jest/globals'\nvoid expect\n${text}\n`

/** Runs files of tests by Jest in one process; resolves to its exit code and its report as JSON. */
async function runJest(
  files: Record<string, string>,
  { env = {}, settings = [] }: { env?: Record<string, string>; settings?: string[] } = {},
) {
  const folder = await mkdtemp(join(import.meta.dirname, '../.jest-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js')
  const configFile = join(import.meta.dirname, '../../../jest/unit.config.mjs')
  const args = [
    jest,
    '--config',
    configFile,
    '--runInBand',
    '--reporters',
    'default',
    '--json',
    '--outputFile',
    'report',
    ...settings,
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...config.environment, TEST_DEADLINE: '', ...env },
  })
  const [code] = (await once(child, 'close')) as [number]
  const report = await readFile(join(folder, 'report'), 'utf8')
  await rm(folder, { recursive: true })
  return { code, report }
}

describe('a file after another in the same process', () => {
  const passing = `it('passes', () => {})`
  const cases: [string, string, number][] = [
    ['passes', passing, 0],
    [
      'fails by a promise that nobody waits for',
      `it('loses', async () => { void Promise.reject(new Error('lost')); await new Promise(setImmediate) })`,
      1,
    ],
    [
      'fails by an error that comes late',
      `it('is late', async () => { setImmediate(() => { throw new Error('late') }); await new Promise(resolve => setTimeout(resolve, 50)) })`,
      1,
    ],
    ['fails when it ends the process', `it('exits', () => process.exit(0))`, 1],
    [
      'does not see the environment of the one before',
      `it('is set', () => expect(process.env.LEFT_BEHIND).toBe('x'))`,
      1,
    ],
    [
      'does not see what the one before left in a module',
      `import { state } from './state.ts'\nit('is new', () => expect(state.left).toBe(false))`,
      0,
    ],
    [
      'is not slowed by the storages of the one before',
      `it('is off', () => expect(globalThis.before.enabled).not.toBe(true))`,
      0,
    ],
    [
      'is not seen by the observers of the one before',
      `import { PerformanceObserver } from 'node:perf_hooks'\nit('marks', async () => { await new Promise(resolve => { new PerformanceObserver(resolve).observe({ entryTypes: ['mark'] }); performance.mark('b') }); expect(globalThis.observed).toEqual(['a']) })`,
      0,
    ],
    [
      'has the state of its own Jest alone, which keeps the modules of its file',
      `it('has one', () => expect(Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === 'JEST_STATE_SYMBOL')).toHaveLength(1))`,
      0,
    ],
  ]
  it.each(cases)('%s', async (_title, second, code) => {
    const first = `import { AsyncLocalStorage } from 'node:async_hooks'\nimport { state } from './state.ts'\nit('sets', () => { process.env.LEFT_BEHIND = 'x'; state.left = true; (globalThis.before = new AsyncLocalStorage()).run(1, () => {}) })\n${observing}\n// The largest file runs first. ${'.'.repeat(1_000)}`
    const ended = await runJest({
      'a.test.ts': testFile(first),
      'b.test.ts': testFile(second),
      'state.ts': 'export const state = { left: false }\n',
    })
    expect(ended.code).toBe(code)
  })
})

it.each([
  ['begins before a deadline', 60, 1, { numFailedTests: 1, numPendingTests: 0 }],
  ['is named, and does not begin, after it', -1, 0, { numFailedTests: 0, numPendingTests: 1 }],
])('a file %s', async (_title, secondsLeft, code, counts) => {
  const files = { 'a.test.ts': testFile(`it('fails', () => { throw new Error('It has begun') })`) }
  const ended = await runJest(files, {
    env: { TEST_DEADLINE: String(Date.now() / 1000 + secondsLeft) },
    settings: ['--testRunner', join(import.meta.dirname, '../../../jest/until-deadline.cjs')],
  })
  expect(ended.code).toBe(code)
  expect(JSON.parse(ended.report)).toMatchObject(counts)
  expect(ended.report.includes('because TEST_DEADLINE had passed')).toBe(code === 0)
})
