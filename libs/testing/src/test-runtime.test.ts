import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from '@jest/globals'

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
    const folder = await mkdtemp(join(import.meta.dirname, '../.jest-'))
    const testFile = (text: string) => `import { expect, it } from '@jest/globals'\nvoid expect\n${text}\n`
    await writeFile(
      join(folder, 'a.test.ts'),
      testFile(
        `import { AsyncLocalStorage } from 'node:async_hooks'\nimport { state } from './state.ts'\nit('sets', () => { process.env.LEFT_BEHIND = 'x'; state.left = true; (globalThis.before = new AsyncLocalStorage()).run(1, () => {}) })\n${observing}\n// The largest file runs first. ${'.'.repeat(1_000)}`,
      ),
    )
    await writeFile(join(folder, 'b.test.ts'), testFile(second))
    await writeFile(join(folder, 'state.ts'), 'export const state = { left: false }\n')
    const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js')
    const config = join(import.meta.dirname, '../../../jest/unit.config.mjs')
    const child = spawn(process.execPath, [jest, '--config', config, '--runInBand', '--reporters', 'default'], {
      cwd: folder,
      stdio: 'ignore',
    })
    const [ended] = (await once(child, 'close')) as [number]
    await rm(folder, { recursive: true })
    expect(ended).toBe(code)
  })
})
