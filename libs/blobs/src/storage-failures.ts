import { Failure } from '@recto/operation'

/** The answer of the storage; what it throws becomes `not_found` for a missing key and `unavailable` for all else. */
export async function withStorageFailures<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw storageFailure(error)
  }
}

function storageFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isMissing(error)) return new Failure('not_found', 'There is no such blob', { cause: error })
  return new Failure('unavailable', 'The blob store does not answer', { cause: error })
}

const missingCodes = new Set<unknown>(['ENOENT', 'flystorage.file_was_not_found'])
const missingNames = new Set<unknown>(['NotFound', 'NoSuchKey'])

/** The reason lies somewhere in the chain of causes: each layer wraps the error of the one below. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, cause, code } = error as Error & { code?: unknown }
  return missingCodes.has(code) || missingNames.has(name) || isMissing(cause)
}
