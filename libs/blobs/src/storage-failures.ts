import { Failure } from '@recto/operation'

/** Awaits a storage call; maps its error to `not_found` for a missing key and to `unavailable` otherwise. */
export async function withStorageFailures<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw storageFailure(error)
  }
}

function storageFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isMissing(error)) return new Failure('not_found', 'There is no such blob', { cause: error })
  return new Failure('unavailable', 'The blob store is not available', { cause: error })
}

const missingCodes = new Set<unknown>(['ENOENT', 'flystorage.file_was_not_found'])
const missingNames = new Set<unknown>(['NotFound', 'NoSuchKey'])

/** Searches the chain of causes: each storage layer wraps the error of the one below. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, cause, code } = error as Error & { code?: unknown }
  return missingCodes.has(code) || missingNames.has(name) || isMissing(cause)
}
