import { chmod, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '@recto/text'
import { UsageFailure } from '../terminal/command.ts'
import { writePrivateFile } from '../terminal/private-file.ts'
import { Credentials, noCredentials } from './credentials.rules.ts'

const pollMs = 100
/** A lock of a process that has ended without deleting it: changes take less. */
const staleMs = 60_000

/** Reads the saved credentials. Throws `UsageFailure` for a file that cannot be read. */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return noCredentials
  const result = Credentials.safeParse(parseJson(text))
  if (!result.success) throw new UsageFailure(`${file} cannot be read: delete it, and use \`recto login\``)
  return result.data
}

/**
 * Changes the saved credentials: one process at a time, each from what the one before has written. Only their owner reads the file. Resolves to
 * what is saved then. Throws `UsageFailure`, and what `change` throws.
 */
export async function changeCredentials(
  file: string,
  signal: AbortSignal,
  change: (current: Credentials) => Promise<Credentials> | Credentials,
): Promise<Credentials> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await chmod(dirname(file), 0o700)
  return withLock(`${file}.lock`, signal, async () => {
    const current = await readCredentials(file)
    const next = await change(current)
    if (next !== current) await writePrivateFile(file, `${JSON.stringify(next, undefined, 2)}\n`)
    return next
  })
}

async function withLock<T>(lock: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const handle = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      throw new UsageFailure(`${lock} cannot be written: ${error.message}`)
    })
    if (handle) {
      await handle.close()
      return work().finally(() => rm(lock, { force: true }))
    }
    const age = await stat(lock)
      .then(({ mtimeMs }) => Date.now() - mtimeMs)
      .catch(() => 0)
    if (age > staleMs) await rm(lock, { force: true })
    else await wait(pollMs, undefined, { signal })
  }
}
