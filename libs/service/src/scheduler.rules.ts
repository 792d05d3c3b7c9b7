/** When work on rows may run, and when it has something to do: all in milliseconds. */
interface Due {
  every: number
  untilDue: number
  maxPause?: number | undefined
}

/**
 * Milliseconds until the next run of work on rows, of which the next one is due in `untilDue`: an overdue row, which the last run could not
 * finish, is looked at again as soon as may be.
 */
export function pauseBeforeDue({ every, untilDue, maxPause = 30_000 }: Due): number {
  return Math.max(every, Math.min(untilDue, maxPause))
}
