/** The result of a request to a forge. */
export type ForgeResult =
  | { kind: 'accepted' }
  /** The forge limits us until a time. */
  | { kind: 'limited'; until: Date }
  /** The forge cannot answer now. */
  | { kind: 'away'; message: string }
  /** The forge refuses the request, which another attempt would not change. */
  | { kind: 'refused'; status: number; message: string }

/** The reply of a forge, by lower-case names of headers. */
export interface ForgeReply {
  status: number
  headers: Partial<Record<string, string>>
  /** The beginning of its body. */
  text: string
}

const second = 1_000
const shortestPause = second
const longestPause = 3_600 * second
/** Pause where a forge limits us and does not say until when. */
const usualPause = 60 * second

/** Reads the reply of a forge. No message repeats the body, which the forge decides. */
export function readReply({ status, headers, text }: ForgeReply, now: Date): ForgeResult {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  // GitLab refuses a state that the commit has already.
  if (status === 400 && /Cannot transition status/i.test(text)) return { kind: 'accepted' }
  if (status === 429 || (status === 403 && isLimit(headers, text)))
    return { kind: 'limited', until: pauseEnd(headers, now) }
  if (status >= 500 || status === 408)
    return { kind: 'away', message: `The forge cannot answer now (status ${status})` }
  return { kind: 'refused', status, message: refusalOf(status) }
}

/** GitHub answers 403, too, when it limits requests. */
function isLimit(headers: ForgeReply['headers'], text: string): boolean {
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(text)
}

function pauseEnd(headers: ForgeReply['headers'], now: Date): Date {
  const time = retryAfter(headers['retry-after'], now) ?? resetTime(headers) ?? now.getTime() + usualPause
  const pause = Math.min(Math.max(time - now.getTime(), shortestPause), longestPause)
  return new Date(now.getTime() + pause)
}

/** The time of a header `Retry-After`: seconds, or a date (RFC 9110). */
function retryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return now.getTime() + Number(value) * second
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date
}

/** The time of `x-ratelimit-reset` of GitHub and Gitea, or `ratelimit-reset` of GitLab, in seconds since 1970. */
function resetTime(headers: ForgeReply['headers']): number | undefined {
  const value = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']
  return value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) * second : undefined
}

function refusalOf(status: number): string {
  if (status === 401) return 'The forge refuses the token for statuses (status 401)'
  if (status === 403 || status === 404)
    return `The token may not set statuses in this repository (status ${status}), or the forge has no such commit`
  if (status >= 300 && status < 400)
    return `The forge redirects its API (status ${status}): set the new URL of the repository`
  return `The forge refuses the status of the commit (status ${status})`
}
