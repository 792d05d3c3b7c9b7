import { Failure, type FailureCode } from '@recto/operation'
import { ConvertFailure } from '@recto/convert'
import { WorkerFailure } from '@recto/worker-pool'

/** Attempts of one import before it fails for good. */
export const maxAttempts = 3
/** Milliseconds without a sign of life after which another process may take an import over. */
export const leaseLength = 20_000

/** The error that an import shows when it ended with this one; undefined for one that another attempt may not meet. */
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

/** A URL without credentials, query and fragment, any of which may hold a secret. */
export function shownUrl(text: string): string {
  const url = new URL(text)
  url.username = url.password = url.search = url.hash = ''
  return url.href
}

/** A place in a source: a path as it is, a URL as `shownUrl` has it. */
export function shownPath(path: string): string {
  return /^https?:\/\//i.test(path) && URL.canParse(path) ? shownUrl(path) : path
}
