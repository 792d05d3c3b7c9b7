/** The headers of an answer from disk (RFC 9211): how long ago, in seconds, its site was last as fresh as ever. */
export function outageHeaders(since: string, now: number): Record<string, string> {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1_000))
  return { 'cache-status': `Recto; hit; ttl=-${seconds}; detail=outage` }
}
