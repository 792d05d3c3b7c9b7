import type { PublishedSite } from '../api/types.ts'

/** Milliseconds of an outage, and of what is kept for one. */
export interface OutageTimes {
  /** For which a request waits before the API is probed. */
  patience: number
  /** For the answer to a probe. */
  probe: number
  /** Between two probes of an outage. */
  probeEvery: number
  /** For a request of an outage that no kept reply answers: the API may know it after all. */
  lastTry: number
  /** Between two checks of a site. */
  checkEvery: number
  /** For which a confirmation holds: nothing of a site shows longer after its closing. */
  confirmedFor: number
}

/** The times of an installation. */
export const outageTimes: OutageTimes = {
  patience: 400,
  probe: 800,
  probeEvery: 500,
  lastTry: 2_000,
  checkEvery: 5_000,
  confirmedFor: 60_000,
}

/**
 * Whether a site may be served from disk: the API has confirmed it in the life of this process, not longer before the outage than a
 * confirmation holds; without an outage, not longer before now.
 */
export function isServable({
  confirmedAt,
  outageSince,
  now,
  confirmedFor,
}: {
  confirmedAt: number | undefined
  outageSince: number | undefined
  now: number
  confirmedFor: number
}): boolean {
  return confirmedAt !== undefined && (outageSince ?? now) - confirmedAt <= confirmedFor
}

/** Whether everybody may read a site as it was published. */
export function isOpenToAll({ site }: PublishedSite): boolean {
  return site.visibility === 'public' || site.visibility === 'unlisted'
}

/** Whether what a visitor says of themselves changes what they see. */
export function dependsOnVisitor({ site }: PublishedSite): boolean {
  return site.adaptiveContent?.enabled === true
}

/** Milliseconds of a check, of all sites together: so many of them are no load for the API. */
const checkShare = 40

/** Milliseconds between two checks of a site: longer where there are many, and never so long that a confirmation ends. */
export function pauseOfChecks(
  sites: number,
  { checkEvery, confirmedFor }: Pick<OutageTimes, 'checkEvery' | 'confirmedFor'>,
): number {
  return Math.max(checkEvery, Math.min(sites * checkShare, confirmedFor / 2))
}
