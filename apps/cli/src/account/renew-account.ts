import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { UsageFailure } from '../terminal/command.ts'
import { readCredentials, writeCredentials } from './credentials-file.ts'
import { needsRenewal, withLogin } from './credentials.rules.ts'
import { renewLogin } from './oauth.ts'

const pollMs = 100
/** A lock of a process that has ended without deleting it. */
const staleMs = 60_000

/**
 * The token of an address, renewed where it ends soon. One process renews at a time: a refresh token that two use ends the whole login.
 * Throws what `renewLogin` throws.
 */
export async function renewedToken(file: string, url: string, signal: AbortSignal): Promise<string | undefined> {
  const credentials = await readCredentials(file)
  if (!needsRenewal(credentials, url, Date.now())) return credentials.tokens[url]
  return withLock(`${file}.lock`, signal, async () => {
    const current = await readCredentials(file)
    const renewal = current.renewals?.[url]
    if (!renewal || !needsRenewal(current, url, Date.now())) return current.tokens[url]
    const login = await renewLogin(url, renewal, signal)
    await writeCredentials(file, withLogin(current, url, login))
    return login.token
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
