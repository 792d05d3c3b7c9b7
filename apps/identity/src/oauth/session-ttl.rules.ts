/** How long sessions live, in seconds: unused, and in any case. */
export interface SessionLifetimes {
  sessionIdle: number
  session: number
}

/** The seconds until a session ends that is used now: after some time without use, and in any case some time after the sign-in. At least one. */
export function sessionTtl(
  loginTs: number | undefined,
  now: number,
  { sessionIdle, session }: SessionLifetimes,
): number {
  const since = loginTs === undefined ? 0 : now - loginTs
  return Math.max(1, Math.min(sessionIdle, session - since))
}
