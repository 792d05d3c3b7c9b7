/**
 * Why git data is refused: it violates the format (`invalid`), it is well formed but not supported (`unsupported`), it exceeds a
 * limit of the caller (`too_large`), an object is in none of the packs (`missing_object`), or the server ended the fetch
 * (`remote_error`).
 */
export type GitPackErrorCode = 'invalid' | 'unsupported' | 'too_large' | 'missing_object' | 'remote_error'

/** The error that this library throws for data it refuses. The message is a whole sentence and contains nothing from the data. */
export class GitPackError extends Error {
  readonly code: GitPackErrorCode

  constructor(code: GitPackErrorCode, message: string) {
    super(message)
    this.name = 'GitPackError'
    this.code = code
  }
}

/** Creates the error for a pack that violates the format; `what` names the offending part. */
export function invalidPack(what: string): GitPackError {
  return new GitPackError('invalid', `The pack holds ${what}`)
}
