/** The code of the failure that a call ends with, or undefined when it succeeds. */
export async function failure(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(() => undefined, (error: { code: string }) => error.code)
}
