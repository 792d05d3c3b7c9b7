import { publishingEvents } from '@recto/contracts'
import type { Transaction } from '@recto/database'
import { addressOf } from '../shared/addresses.rules.ts'
import * as sites from './sites.repository.ts'
import { addressOfSiteSpace } from './structure/site-addresses.rules.ts'
import { orderedSiteSpaces } from './structure/structure.rules.ts'
import * as structures from './structure/structure.repository.ts'

/** Publishes what a site is now, with a version that grows with each change: whoever keeps a copy keeps the one of the highest version. */
export async function publishSiteChanged(tx: Transaction, siteId: string, sitesUrl: string): Promise<void> {
  const version = await sites.nextVersion(tx, siteId)
  const site = await sites.find(tx, siteId)
  if (!site) return
  const structure = await structures.load(tx, siteId)
  const address = addressOf(site, sitesUrl)
  await tx.publish(publishingEvents.siteChanged, {
    organization: site.organizationId,
    site: site.id,
    version,
    published: site.published,
    visibility: site.visibility,
    spaces: orderedSiteSpaces(structure).map(row => ({
      space: row.spaceId,
      url: addressOfSiteSpace(structure, row, address),
    })),
  })
}

/** Publishes that a site is gone. */
export async function publishSiteDeleted(
  tx: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  const version = await sites.nextVersion(tx, id)
  await tx.publish(publishingEvents.siteDeleted, { organization: organizationId, site: id, version })
}
