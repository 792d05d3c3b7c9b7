import { maxVisitorTokenLength } from './visitor-token.ts'

const hour = 3_600_000

/** Milliseconds for which the address of a download is valid at least; it ends with an hour of the clock. */
export const downloadLifetime = 24 * hour
/** Milliseconds for which clocks may differ, and a closing may take from its time to its commit. */
const slack = hour
/** Milliseconds for which anything that a visitor was given is valid at most: closings are remembered for so long. */
export const maxVisitorGrant = Math.max(maxVisitorTokenLength, downloadLifetime + hour) + slack

/** A version of a site, with whose closing ends whatever visitors were given for it. */
export interface SiteVersion {
  site: string
  version: number
}

const purpose = /^site (\S+) (\d{1,15})$/

/** The purpose of a download's address: for a visitor, the version of their site; for a member none, as nothing could close. */
export function downloadIssuedFor(visitor: SiteVersion | undefined): string | undefined {
  return visitor && `site ${visitor.site} ${visitor.version}`
}

/** Reads a purpose that `downloadIssuedFor` wrote; undefined for anything else. */
export function siteVersionOf(issuedFor: string): SiteVersion | undefined {
  const [, site, version] = purpose.exec(issuedFor) ?? []
  return site === undefined ? undefined : { site, version: Number(version) }
}
