import { publishingEvents } from '@recto/contracts-publishing-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { requestPurge } from '../purges/purges.repository.ts'
import { siteTag } from '../purges/purge.rules.ts'
import { addressOf, hostsOf } from '../addresses/addresses.rules.ts'
import { closesSomething, type WholeSite } from './closing.rules.ts'
import * as formerPaths from '../former-paths/former-site-paths.repository.ts'
import { droppedSitePaths } from '../former-paths/former-site-paths.rules.ts'
import { changesOfSite } from './site-changes.rules.ts'
import type { SiteRow } from './site.entity.ts'
import * as sites from './sites.repository.ts'
import { addressOfSiteSpace } from '../structure/site-addresses.rules.ts'
import { publishedStructure } from '../structure/shown-structure.rules.ts'
import { orderedSiteSpaces } from '../structure/structure.rules.ts'

/**
 * Records a change of a site and its structure, and publishes what it is since, with a version that grows with each: whoever keeps a copy keeps the one of the highest
 * version, and readers read it again. A change that closes something ends the visitor tokens of the versions before, as `closes` says it does in any case. A new site has nothing before.
 */
export async function publishSiteChanged(
  tx: Transaction,
  { before, after }: { before?: WholeSite; after: WholeSite },
  { sitesUrl, closes = false }: { sitesUrl: string; closes?: boolean },
): Promise<void> {
  const { site, structure } = after
  const { id } = site
  for (const change of changesOfSite(before, after)) tx.record(change)
  const isClosing = closes || (before !== undefined && closesSomething(before, after))
  const { version, closedVersion } = await sites.advanceVersion(tx, site, { closes: isClosing })
  const published = publishedStructure(structure)
  if (before) await formerPaths.save(tx, id, droppedSitePaths(publishedStructure(before.structure), published))
  const address = addressOf(site, sitesUrl)
  await requestPurge(tx, [siteTag(id)])
  await tx.publish(publishingEvents.siteChanged, {
    organization: site.organizationId,
    site: id,
    version,
    closedVersion,
    published: site.published,
    visibility: site.visibility,
    address,
    hosts: hostsOf(site, sitesUrl),
    spaces: orderedSiteSpaces(published).map(row => ({
      space: row.spaceId,
      url: addressOfSiteSpace(published, row, address),
    })),
  })
}

/** Deletes a site, and records and publishes that; its visitor tokens are not valid any more. */
export async function deleteSite(
  tx: Transaction,
  { id, organizationId, version: last }: Pick<SiteRow, 'id' | 'organizationId' | 'version'>,
): Promise<void> {
  const version = last + 1
  await sites.remove(tx, id, version)
  tx.record(recorded('site.deleted', { organization: organizationId, site: id }))
  await requestPurge(tx, [siteTag(id)])
  await tx.publish(publishingEvents.siteDeleted, { organization: organizationId, site: id, version })
}
