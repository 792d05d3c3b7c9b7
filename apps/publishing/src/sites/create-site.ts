import type { BaseContext } from '../shared/context.ts'
import { structureOf } from '../structure/change-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import { emptyStructure } from '../structure/structure.rules.ts'
import type { SiteRow } from './site.entity.ts'
import { publishSiteChanged } from './site-events.ts'
import * as repository from './sites.repository.ts'
import { basenameOf, freeBasename, newSite } from './sites.rules.ts'

/** Creates a site that shows these spaces, at an address of its title. */
export async function createSite(
  site: Pick<SiteRow, 'organizationId' | 'type' | 'title' | 'visibility' | 'createdBy'>,
  spaces: Parameters<typeof structureOf>[1],
  context: Pick<BaseContext, 'transaction' | 'sitesUrl'>,
): Promise<SiteRow> {
  return context.transaction(async tx => {
    const preferredBasename = basenameOf(site.title)
    await repository.lockBasenames(tx)
    const basename = freeBasename(preferredBasename, await repository.basenamesLike(tx, preferredBasename))
    const created = newSite({ ...site, basename })
    await repository.insert(tx, created)
    const structure = structureOf(created.id, spaces)
    await structures.save(tx, emptyStructure, structure)
    await publishSiteChanged(tx, { after: { site: created, structure } }, context)
    return created
  })
}
