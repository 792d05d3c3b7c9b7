import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import pg from 'pg'
import { expect, it } from '@jest/globals'

// What jest/runtime.cjs promises: a test sees Node and packages as a program does.
it('an error of Node is an instance of Error', async () => {
  expect(await readFile('/nowhere').catch((error: unknown) => error)).toBeInstanceOf(Error)
})

it('an array that Node makes is an array of the test', () => {
  expect(structuredClone([1])).toBeInstanceOf(Array)
})

it('a package is the one that Node itself loads', () => {
  expect(pg.Client).toBe((createRequire(import.meta.url)('pg') as typeof pg).Client)
})
