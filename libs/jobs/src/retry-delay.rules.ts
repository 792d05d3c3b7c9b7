/** Milliseconds between tries. */
export interface RetryTimes {
  first: number
  longest: number
}

/** Milliseconds until the next try after `attempts` that failed: twice as long each time, and up to a half less at random, so that many do not come at once. */
export function retryDelay(attempts: number, { first, longest }: RetryTimes, random: number): number {
  const whole = Math.min(longest, first * 2 ** Math.min(attempts - 1, 30))
  return Math.round(whole * (1 - random / 2))
}
