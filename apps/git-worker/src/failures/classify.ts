import { Failure } from '@recto/operation'
import { OutgoingFailure, type OutgoingReason } from '@recto/outgoing'
import { ImportFailure, type GitErrorCode } from '@recto/repository-content'

const outgoing: Record<OutgoingReason, { code: GitErrorCode; transient: boolean }> = {
  refused_address: { code: 'refused_address', transient: false },
  unresolvable: { code: 'unresolvable', transient: false },
  unreachable: { code: 'unreachable', transient: true },
  timeout: { code: 'timeout', transient: true },
  too_large: { code: 'too_large', transient: false },
  bad_url: { code: 'unreachable', transient: false },
  encoding: { code: 'unreachable', transient: false },
  redirects: { code: 'unreachable', transient: false },
  tls: { code: 'unreachable', transient: false },
}

/** Maps any error to an `ImportFailure`. Only our own messages are shown; any other error becomes `internal`, with its cause for the log. */
export function toImportFailure(error: unknown, direction = 'import'): ImportFailure {
  if (error instanceof ImportFailure) return error
  if (error instanceof OutgoingFailure)
    return new ImportFailure(outgoing[error.reason].code, error.message, {
      cause: error,
      transient: outgoing[error.reason].transient,
    })
  return new ImportFailure('internal', `The ${direction} failed on our side`, {
    cause: error,
    transient: isUnavailable(error),
  })
}

/** Whether an error means that another part of the platform is unavailable. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Failure &&
    !(error instanceof OutgoingFailure) &&
    (error.code === 'unavailable' || error.code === 'timeout')
  )
}
