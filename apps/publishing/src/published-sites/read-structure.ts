import type { Context } from '../shared/context.ts'
import { readSite, type SiteParams } from '../sites/update-site.ts'
import type { SiteView } from '../sites/sites.repository.ts'
import { type ReadableSpaces, listedSpaces } from '../structure/spaces-of-sites.ts'
import { publishedRoot } from '../share-links/published-root.ts'
import type { VisibleStructure } from '../structure/present-structure.ts'
import { liveStructure, shownStructure, type ShownStructure } from '../structure/shown-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'

interface StructureInput {
  site: SiteView
  structure: ShownStructure
  /** The part of it that has published addresses. */
  live: ShownStructure
  shareKey?: string | undefined
  /** Its spaces, unless they are still to be described. */
  spaces?: ReadableSpaces | undefined
}

/** Adds the readable spaces and the published address to a structure, for presentation. With `shareKey` the address is that of the share link. */
export async function loadStructureView(
  context: Context,
  { site, structure, live, shareKey, ...described }: StructureInput,
): Promise<VisibleStructure> {
  const ids = structure.siteSpaces.map(({ spaceId }) => spaceId)
  const spaces = described.spaces ?? (await listedSpaces(context, site.organizationId, ids))
  const { address, isBehindLink } = await publishedRoot(context, site, shareKey)
  const showsConditions = context.actor.visitor === undefined
  return { structure, live, spaces, address: site.published ? address : undefined, isBehindLink, showsConditions }
}

/** Reads the structure of a site now, as the caller sees it. */
export async function readStructure(
  context: Context,
  params: SiteParams,
  { shareKey }: { shareKey?: string | undefined } = {},
): Promise<VisibleStructure> {
  const site = await readSite(context, params)
  const stored = await structures.load(context.db, site.id)
  return loadStructureView(context, { site, structure: shownStructure(stored), live: liveStructure(stored), shareKey })
}
