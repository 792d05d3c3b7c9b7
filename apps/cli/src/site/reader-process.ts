import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@recto/embedded/ports'
import { bareEnvironment } from '../terminal/config.ts'

/** A reader of pages in a process of its own. */
export interface ReaderProcess {
  url: string
  stop(): Promise<void>
}

/** Milliseconds for the start of the reader. */
const startTimeoutMs = 60_000
/** The bundle of the reader beside that of the command. */
const usualReader = () => fileURLToPath(new URL('../reader/main.js', import.meta.url))

/** Starts a reader whose API is at `apiUrl`. It answers on the loopback address, and nothing is kept for longer than it is the same. */
export async function startReaderProcess(apiUrl: string, file = usualReader()): Promise<ReaderProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...bareEnvironment(),
      PUBLIC_URL: apiUrl,
      PORT: String(port),
      HOST: '127.0.0.1',
      READER_HOSTS: 'reader.invalid',
      SITES_URL: 'http://{basename}.invalid',
      READER_FRESH: '0',
      READER_THREADS: '2',
      LOG_LEVEL: 'error',
      OTEL_SDK_DISABLED: 'true',
    },
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2_000)))
  const exit = once(child, 'exit').catch(() => undefined)
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + startTimeoutMs
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The reader does not start: ${errors.trim() || 'it does not answer'}`)
    }
    await wait(25)
  }
  return {
    url,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
      await exit
      clearTimeout(timer)
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/robots.txt`, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}
