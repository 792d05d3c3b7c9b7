import { randomUUID } from 'node:crypto'
import { Failure } from '@recto/operation'

const HASH = /^[0-9a-f]{64}$/
const UNFINISHED = 'unfinished'

/** The key of a blob. Only a SHA-256 in lower-case hexadecimal becomes a key, so no input can name another path. */
export function blobKey(hash: string): string {
  if (!HASH.test(hash)) throw new Failure('invalid_request', 'A blob is named by its SHA-256 in lower-case hexadecimal')
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}

/** A key for a blob that is still being written; the time in it tells when it was begun. */
export function unfinishedKey(now: Date): string {
  return `${UNFINISHED}/${now.getTime()}-${randomUUID()}`
}

/** The folder of blobs that are still being written. */
export const unfinishedFolder = UNFINISHED

/** When the writing of an unfinished blob was begun; undefined for a key of another form. */
export function startedAt(key: string): Date | undefined {
  const milliseconds = /\/(\d{1,15})-[0-9a-f-]{36}$/.exec(key)?.[1]
  return milliseconds === undefined ? undefined : new Date(Number(milliseconds))
}
