import { setTimeout as sleep } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import { eventually } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { releaseStartupMemory } from './startup-memory.ts'

it('collects what the start of a process left', async () => {
  const reference = new WeakRef({ bytes: new Uint8Array(1_000) })
  releaseStartupMemory({ interval: 10 })
  const flags = cachedDataVersionTag()
  await eventually(() => expect(reference.deref()).toBeUndefined())
  // Threads that start later take the code cache of programs, which V8 refuses with other flags.
  expect(cachedDataVersionTag()).toBe(flags)
})

it('waits until the process has little to do, and collects once', async () => {
  let count = 0
  releaseStartupMemory({ interval: 20, collect: () => void (count += 1) })
  const end = Date.now() + 300
  while (Date.now() < end) await workFor(10)
  expect(count).toBe(0)
  await eventually(() => expect(count).toBe(1))
  // It collects no more: nothing is waited for here.
  await sleep(100)
  expect(count).toBe(1)
})

/** Runs code for so many milliseconds, and lets timers run between. */
async function workFor(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  while (Date.now() < end);
  await new Promise(resolve => void setImmediate(resolve))
}
