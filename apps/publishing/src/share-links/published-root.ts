import { addressBelow, addressOf } from '../addresses/addresses.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import * as shareLinks from './share-links.repository.ts'

/** Where callers find a site while it is published. */
export interface PublishedRoot {
  /** Ends in a slash. */
  address: string
  /** Whether the address leads through a share link. */
  isBehindLink: boolean
}

/**
 * Returns the address below which a caller finds a site: that of the share link if they give its key and the site is shared by links, else
 * the plain address. A key is always checked: throws `not_found` when it belongs to no active link of the site.
 */
export async function publishedRoot(
  { db, sitesUrl }: Pick<BaseContext, 'db' | 'sitesUrl'>,
  site: SiteRow,
  shareKey: string | undefined,
): Promise<PublishedRoot> {
  if (shareKey !== undefined) await shareLinks.getActive(db, { siteId: site.id, key: shareKey })
  const address = addressOf(site, sitesUrl)
  return shareKey === undefined || site.visibility !== 'share-link'
    ? { address, isBehindLink: false }
    : { address: addressBelow(address, [shareKey]), isBehindLink: true }
}
