import { GitPackError } from '@recto/git-pack'
import { ImportFailure } from '@recto/repository-content'

/** Runs work on packs and maps `GitPackError` to `ImportFailure`. */
export async function withImportFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof GitPackError ? toImportFailure(error) : error
  }
}

function toImportFailure(error: GitPackError): ImportFailure {
  if (error.code === 'too_large') return new ImportFailure('too_large', error.message, { cause: error })
  return new ImportFailure('invalid_repository', `The repository cannot be read: ${error.message}`, { cause: error })
}
