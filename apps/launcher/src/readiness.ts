import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@recto/operation'
import type { ProcessLog } from './logs.ts'
import type { Running } from './supervised.ts'

const patience = 60_000
const pollInterval = 25
/** Said by a process that brings its database to the newest schema, which takes as long as it takes. */
const migrating = 'migrating the database'

interface ReadinessOptions {
  name: string
  port: number
  running: Running
  log: ProcessLog
  signal: AbortSignal
}

/** Waits until the process says that it is ready. Throws `unavailable` with its last words when it ends before that. */
export async function becomesReady({ name, port, running, log, signal }: ReadinessOptions): Promise<void> {
  let hasEnded = false
  void running.exited.then(() => (hasEnded = true))
  let answer = 'no answer'
  for (let deadline = Date.now() + patience; Date.now() < deadline; await sleep(pollInterval)) {
    signal.throwIfAborted()
    if (hasEnded)
      throw new Failure('unavailable', `${name} does not start:\n${log.lastLines()}\n(all of it: ${log.path})`)
    const reply = await ask(port)
    if (reply.isReady) return
    answer = reply.answer
    if (answer === migrating) deadline = Date.now() + patience
  }
  throw new Failure('unavailable', `${name} is not ready after ${patience / 1000} s: ${answer} (see ${log.path})`)
}

async function ask(port: number): Promise<{ isReady: boolean; answer: string }> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })
    return { isReady: response.ok, answer: (await response.text()).trim() }
  } catch {
    return { isReady: false, answer: 'no answer' }
  }
}
