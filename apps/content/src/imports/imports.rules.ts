import { Failure, type FailureCode } from '@recto/operation'
import { ConvertFailure } from '@recto/convert'
import { WorkerFailure } from '@recto/worker-pool'

/** Largest number of attempts at one import; then it fails for good. */
export const maxAttempts = 3
/** Milliseconds without a heartbeat after which another process may take an import over. */
export const leaseMs = 20_000

/** The error that a failed import shows; undefined for an error that another attempt may not meet. */
export function importError(error: unknown): { code: FailureCode; message: string } | undefined {
  if (error instanceof WorkerFailure) return limitError(error)
  if (error instanceof ConvertFailure) {
    const code = error.reason === 'too_large' || error.reason === 'timeout' ? error.reason : 'invalid_request'
    return { code, message: error.message }
  }
  const isKnown = error instanceof Failure && error.code !== 'internal'
  return isKnown ? { code: error.code, message: error.message } : undefined
}

function limitError({ reason }: WorkerFailure): { code: FailureCode; message: string } | undefined {
  if (reason === 'closed') return undefined
  if (reason === 'timeout') return { code: 'timeout', message: 'Converting the content takes too long' }
  const message =
    reason === 'depth' ? 'The content is nested too deeply' : 'Converting the content needs too much memory'
  return { code: 'too_large', message }
}

/** Removes credentials, query and fragment from a URL, since any of them may hold a secret. */
export function redactUrl(text: string): string {
  const url = new URL(text)
  url.username = url.password = url.search = url.hash = ''
  return url.href
}

/** Redacts the place of a warning when it is a URL; paths stay. */
export function redactPath(path: string): string {
  return /^https?:\/\//i.test(path) && URL.canParse(path) ? redactUrl(path) : path
}
