import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@recto/operation'
import type { ProcessLog } from './logs.ts'
import type { Running } from './supervised.ts'

const timeout = 60_000
const pollInterval = 100
/** The status of a process that migrates its database, for which there is no time limit. */
const migratingStatus = 'migrating the database'

interface ReadinessOptions {
  name: string
  port: number
  running: Running
  log: ProcessLog
  signal: AbortSignal
}

/** Waits until `/readyz` of the process succeeds. Throws `unavailable` with its last log lines when the process ends before, or after a minute. */
export async function waitUntilReady({ name, port, running, log, signal }: ReadinessOptions): Promise<void> {
  let hasEnded = false
  void running.exited.then(() => (hasEnded = true))
  let answer = 'no answer'
  for (let deadline = Date.now() + timeout; Date.now() < deadline; await sleep(pollInterval)) {
    signal.throwIfAborted()
    if (hasEnded)
      throw new Failure('unavailable', `${name} does not start:\n${log.lastLines()}\n(full log: ${log.path})`)
    const reply = await readReadiness(port)
    if (reply.isReady) return
    answer = reply.answer
    if (answer === migratingStatus) deadline = Date.now() + timeout
  }
  throw new Failure('unavailable', `${name} is not ready after ${timeout / 1000} s: ${answer} (see ${log.path})`)
}

async function readReadiness(port: number): Promise<{ isReady: boolean; answer: string }> {
  try {
    // Node loads all of `fetch` with the first one, a tenth of the launcher's own start.
    const request = get({ host: '127.0.0.1', port, path: '/readyz', signal: AbortSignal.timeout(2_000) })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { isReady: response.statusCode === 200, answer: (await text(response)).trim() }
  } catch {
    return { isReady: false, answer: 'no answer' }
  }
}
