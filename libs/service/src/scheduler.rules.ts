/** Maximum milliseconds between two runs of work on rows: what wakes it may be lost, and then it is late by so much at most. */
const longestPause = 30_000

/**
 * Milliseconds until the next run of work on rows, of which the next one is due in `untilDue`: an overdue row, which the last run could not
 * finish, is looked at again as soon as may be.
 */
export function pauseBeforeDue({ every, untilDue }: { every: number; untilDue: number }): number {
  return Math.max(every, Math.min(untilDue, longestPause))
}
