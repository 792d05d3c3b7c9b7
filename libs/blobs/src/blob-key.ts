import { randomUUID } from 'node:crypto'
import { Failure } from '@recto/operation'

const HASH = /^[0-9a-f]{64}$/
const UNFINISHED = 'unfinished'

/** Builds the storage key of a blob. Throws `invalid_request` unless the hash is a SHA-256 in lower-case hexadecimal, so no input can name another path. */
export function blobKey(hash: string): string {
  if (!HASH.test(hash)) throw new Failure('invalid_request', 'A blob is named by its SHA-256 in lower-case hexadecimal')
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}

/** The hash of the blob whose storage key this is; undefined for any other key. */
export function hashOf(key: string): string | undefined {
  const hash = key.slice(key.lastIndexOf('/') + 1)
  return HASH.test(hash) && blobKey(hash) === key ? hash : undefined
}

/** Creates a temporary key for a blob that is being written; it holds the time of its creation. */
export function unfinishedKey(now: Date): string {
  return `${UNFINISHED}/${now.getTime()}-${randomUUID()}`
}

/** The folder of temporary keys. */
export const unfinishedFolder = UNFINISHED

/** Reads the creation time of a temporary key; undefined for any other key. */
export function startedAt(key: string): Date | undefined {
  const milliseconds = /\/(\d{1,15})-[0-9a-f-]{36}$/.exec(key)?.[1]
  return milliseconds === undefined ? undefined : new Date(Number(milliseconds))
}
