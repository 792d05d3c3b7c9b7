/**
 * Why git data is refused: it breaks the format (`invalid`), it is well formed and not supported (`unsupported`), it is over a limit
 * of the caller (`too_large`), an object is in none of the packs (`missing_object`), or the server ended the fetch (`remote_error`).
 */
export type GitPackErrorCode = 'invalid' | 'unsupported' | 'too_large' | 'missing_object' | 'remote_error'

/** What every refusal of this library is. The message is a whole sentence that quotes nothing of the data. */
export class GitPackError extends Error {
  readonly code: GitPackErrorCode

  constructor(code: GitPackErrorCode, message: string) {
    super(message)
    this.name = 'GitPackError'
    this.code = code
  }
}

/** A pack that breaks the format, by what it holds. */
export function invalidPack(what: string): GitPackError {
  return new GitPackError('invalid', `The pack holds ${what}`)
}
