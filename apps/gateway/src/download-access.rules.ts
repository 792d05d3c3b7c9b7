import { siteVersionOf } from '@recto/actor/site-version'
import { visitorMaxAge, type Closings } from './closings.ts'

/** Whether a download may be read whose address is signed and has not expired; `unknown` until it is known whether its site was closed. */
export type DownloadAccess = 'open' | 'ended' | 'unknown'

/**
 * Decides on a download by the purpose of its address:
 *
 * | issued for                                             | access  |
 * | ------------------------------------------------------ | ------- |
 * | nothing: a member's                                    | open    |
 * | a version of a site that was closed at a higher one    | ended   |
 * | something else than a version of a site                | ended   |
 * | another version, while closings are known              | open    |
 * | another version, while closings may have been missed   | unknown |
 */
export function downloadAccess(
  issuedFor: string | undefined,
  closings: Pick<Closings, 'isClosed' | 'areKnown'>,
): DownloadAccess {
  if (issuedFor === undefined) return 'open'
  const version = siteVersionOf(issuedFor)
  if (!version || closings.isClosed(version)) return 'ended'
  return closings.areKnown() ? 'open' : 'unknown'
}

/** How long a download may be kept without the gateway. */
export interface DownloadLifetime {
  /** Of caches, as `Cache-Control`. */
  cacheControl: string
  /** Milliseconds for which a presigned URL is valid after the redirect to it. */
  redirect: number
  /** `Cache-Control` of what a presigned URL leads to; its server decides unless given. */
  redirectCacheControl?: string
}

/** Bytes never change, and neither do the rights of whoever was given a member's address. */
const membersLifetime: DownloadLifetime = { cacheControl: 'private, max-age=3600, immutable', redirect: 60_000 }

/** A visitor's address is asked for again soon, as its site may be closed; a presigned URL lives as long as both caches together may keep it. */
const visitorsLifetime: DownloadLifetime = {
  cacheControl: `private, max-age=${visitorMaxAge}, must-revalidate`,
  redirect: 2 * visitorMaxAge * 1_000,
  redirectCacheControl: 'private, no-cache',
}

/** How long a download may be kept, by what its address was issued for. */
export function downloadLifetimeOf(issuedFor: string | undefined): DownloadLifetime {
  return issuedFor === undefined ? membersLifetime : visitorsLifetime
}
