import { lifecycleEvents } from '@recto/contracts'
import type { Transaction } from '@recto/database'
import { implementEvents } from '@recto/service'
import { publishSiteChanged } from '../sites/site-events.ts'
import * as sites from '../sites/sites.repository.ts'
import { removeSiteSpaces } from '../sites/structure/change-structure.rules.ts'
import * as structures from '../sites/structure/structure.repository.ts'

/** Removes spaces from sites that cannot show them any more: purged ones, and those that belong to another organization now. */
export function contentEventHandlers(sitesUrl: string) {
  return implementEvents<'publishing'>()(lifecycleEvents, {
    async spacePurged({ space }, { tx }) {
      await removeFromSites(tx, [space], { sitesUrl })
    },

    async spaceTransferred({ space, organization }, { tx }) {
      await removeFromSites(tx, [space], { sitesUrl, keptIn: organization })
    },

    async collectionTransferred({ spaces, organization }, { tx }) {
      await removeFromSites(tx, spaces, { sitesUrl, keptIn: organization })
    },
  })
}

/** `keptIn` is the organization whose sites go on showing the spaces. */
async function removeFromSites(
  tx: Transaction,
  spaces: string[],
  { sitesUrl, keptIn }: { sitesUrl: string; keptIn?: string },
): Promise<void> {
  for (const siteId of await structures.sitesWith(tx, spaces)) {
    const site = await sites.lock(tx, siteId)
    if (!site || site.organizationId === keptIn) continue
    const before = await structures.load(tx, siteId)
    const shown = before.siteSpaces.filter(({ spaceId }) => spaces.includes(spaceId)).map(({ id }) => id)
    await structures.save(tx, before, removeSiteSpaces(before, shown))
    await publishSiteChanged(tx, { site, structure: before }, { sitesUrl })
  }
}
