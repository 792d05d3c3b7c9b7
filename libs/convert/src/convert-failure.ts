/** Why a source cannot be converted; the list is closed. */
export type ConvertFailureReason = 'invalid' | 'too_large' | 'timeout' | 'unreachable'

/** A source that cannot be converted. Its message is for the person who asked for the conversion. */
export class ConvertFailure extends Error {
  override readonly name = 'ConvertFailure'
  readonly reason: ConvertFailureReason

  constructor(reason: ConvertFailureReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.reason = reason
  }
}
