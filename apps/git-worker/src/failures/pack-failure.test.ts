import { GitPackError, type GitPackErrorCode } from '@recto/git-pack'
import { describe, expect, it } from '@jest/globals'
import { ImportFailure } from '@recto/repository-content'
import { withImportFailures } from './pack-failure.ts'

describe('Pack failures', () => {
  it.each<[GitPackErrorCode, string, string]>([
    ['invalid', 'invalid_repository', 'The repository cannot be read: Why'],
    ['unsupported', 'invalid_repository', 'The repository cannot be read: Why'],
    ['missing_object', 'invalid_repository', 'The repository cannot be read: Why'],
    ['remote_error', 'invalid_repository', 'The repository cannot be read: Why'],
    ['too_large', 'too_large', 'Why'],
  ])('Work on a pack that fails with %s ends the import with %s', (code, expected, message) => {
    const cause = new GitPackError(code, 'Why')
    return expect(withImportFailures(() => Promise.reject(cause))).rejects.toMatchObject({
      code: expected,
      message,
      cause,
      transient: false,
    })
  })

  it('Work on a pack rethrows other errors unchanged', async () => {
    const failure = new ImportFailure('timeout', 'Too slow')
    await expect(withImportFailures(() => Promise.reject(failure))).rejects.toBe(failure)
    expect(await withImportFailures(async () => 1)).toBe(1)
  })
})
