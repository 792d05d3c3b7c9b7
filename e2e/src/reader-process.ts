import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually, freePort, waitLimit } from '@recto/testing'
import { cleanEnvironment } from './config.ts'
import type { Installation } from './stack.ts'

const program = fileURLToPath(new URL('../../dist/apps/reader/main.js', import.meta.url))

/** A reader apart from its installation, as on another machine: nobody starts it again. */
export interface ReaderProcess {
  url: string
  /** Its metrics as text. */
  metrics(): Promise<string>
  /** Kills it (SIGKILL). */
  kill(): Promise<void>
  /** Kills it and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a reader of an installation on a port. */
export async function aReaderProcess(
  { url: apiUrl }: Pick<Installation, 'url'>,
  { port, settings = {} }: { port: number; settings?: Record<string, string> },
): Promise<ReaderProcess> {
  const healthPort = String(await freePort())
  const health = `http://127.0.0.1:${healthPort}`
  const addresses = { PUBLIC_URL: apiUrl, PORT: String(port), HEALTH_PORT: healthPort }
  const env = { ...cleanEnvironment(), ...addresses, READER_RENDER_TIMEOUT: String(waitLimit), ...settings }
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [program], { env, stdio: 'ignore' })
    const check = async () => {
      if (!(await fetch(`${health}/readyz`)).ok) throw new Error('the reader is not ready')
    }
    await eventually(check)
    return child
  }
  let child = await start()
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    url: `http://localhost:${port}`,
    metrics: async () => (await fetch(`${health}/metrics`)).text(),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL')
      child = await start()
    },
    stop: () => end('SIGTERM'),
  }
}
