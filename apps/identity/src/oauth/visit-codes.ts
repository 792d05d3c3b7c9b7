import { oneTimeValues } from './one-time-values.ts'

/** A member on their way back to a site. */
export interface VisitCode {
  organization: string
  site: string
  redirectUri: string
  challenge: string
  /** The session of the member. */
  session: string
}

/** Codes with which members come back to sites. */
export const visitCodes = oneTimeValues<VisitCode>('VisitCode', 60_000)
