import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import { implementEvents, type EventContext } from '@recto/service'
import { siteTag, spaceTag } from '../purges/purge.rules.ts'
import { requestPurge } from '../purges/purges.repository.ts'
import { publishSiteChanged } from './site-events.ts'
import type { SiteRow } from './site.entity.ts'
import * as sites from './sites.repository.ts'
import { removeSiteSpaces, setDeleted } from '../structure/change-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import type { Structure } from '../structure/structure.rules.ts'

/**
 * Brings sites to what became of their spaces: deleted ones are hidden until they are restored; purged ones, and those that belong to
 * another organization now, leave the site. Readers read again what changed in a space on a site, published or not: they show
 * previews, too.
 */
export function contentEventHandlers(sitesUrl: string) {
  const hide = (tx: Transaction, spaces: string[], change: { isDeleted: boolean; at: string }) =>
    changeSites(tx, spaces, {
      sitesUrl,
      rule: structure => setDeleted(structure, spaces, { ...change, at: new Date(change.at) }),
    })
  const remove = (tx: Transaction, spaces: string[], keptIn?: string) =>
    changeSites(tx, spaces, {
      sitesUrl,
      rule: (structure, { organizationId }) =>
        organizationId === keptIn ? structure : removeSiteSpaces(structure, siteSpaceIdsOf(structure, spaces)),
    })
  const readAgain = async ({ space }: { space: string }, { tx }: EventContext) => {
    const siteIds = await structures.siteIdsWithSpaces(tx, [space])
    if (siteIds.length > 0) await requestPurge(tx, [spaceTag(space), ...siteIds.map(siteTag)])
  }
  const ofSpaces = implementEvents<'publishing'>()(contentEvents, {
    mainContentChanged: readAgain,
    spaceUpdated: readAgain,
  })
  const ofLifecycle = implementEvents<'publishing'>()(lifecycleEvents, {
    spaceDeleted: ({ space, at }, { tx }) => hide(tx, [space], { isDeleted: true, at }),
    collectionDeleted: ({ spaces, at }, { tx }) => hide(tx, spaces, { isDeleted: true, at }),
    spaceRestored: ({ space, at }, { tx }) => hide(tx, [space], { isDeleted: false, at }),
    spacePurged: ({ space }, { tx }) => remove(tx, [space]),
    spaceTransferred: ({ space, organization }, { tx }) => remove(tx, [space], organization),
    collectionTransferred: ({ spaces, organization }, { tx }) => remove(tx, spaces, organization),
  })
  return { ...ofSpaces, ...ofLifecycle }
}

function siteSpaceIdsOf({ siteSpaces }: Structure, spaces: string[]): string[] {
  return siteSpaces.filter(({ spaceId }) => spaces.includes(spaceId)).map(({ id }) => id)
}

interface Change {
  sitesUrl: string
  rule(structure: Structure, site: SiteRow): Structure
}

/** Changes the structure of all sites whose structure has one of the spaces. */
async function changeSites(tx: Transaction, spaces: string[], { sitesUrl, rule }: Change): Promise<void> {
  for (const siteId of await structures.siteIdsWithSpaces(tx, spaces)) {
    const site = await sites.lock(tx, siteId)
    if (!site) continue
    const before = await structures.load(tx, siteId)
    const after = rule(before, site)
    if (after === before) continue
    await structures.save(tx, before, after)
    await publishSiteChanged(
      tx,
      { before: { site, structure: before }, after: { site, structure: after } },
      { sitesUrl },
    )
  }
}
