import type { Failure } from '@recto/operation'

/** The failure code that a call rejects with, or undefined when it succeeds. */
export async function failure(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
}

/** The error that an attempt throws, or undefined when it succeeds. */
export function failureOf(attempt: () => unknown): Failure | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    return error as Failure
  }
}
