/** The result of the work, or undefined when it takes longer than `ms` milliseconds; the work itself goes on. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
