import type { Visitor } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { readSite, type SiteParams } from '../sites/update-site.ts'
import * as sites from '../sites/sites.repository.ts'
import { type ReadableSpaces, readableSpaces } from '../structure/spaces-of-sites.ts'
import { liveStructure, type ShownStructure, shownStructure } from '../structure/shown-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import { shownTo, withSpaces } from './resolve-path.rules.ts'

/** A published site with what the caller sees of it. */
export interface SeenSite {
  site: sites.SiteView
  structure: ShownStructure
  /** The part of the site that has published addresses. */
  live: ShownStructure
  /** Its spaces, where finding out what the caller sees has described them. */
  spaces?: ReadableSpaces | undefined
}

/** Opens a published site as the caller sees it. Throws as `readPublished` does. */
export async function openPublished({ params }: { params: SiteParams }, context: Context): Promise<SeenSite> {
  const site = await readPublished(context, params)
  return { site, ...(await readSeenStructure(context, site)) }
}

/** A published site; throws `not_found` for one that is not published, and for visitors of another. Somebody who previews sees it before. */
async function readPublished(context: Context, params: SiteParams): Promise<sites.SiteView> {
  const { visitor } = context.actor
  const site = visitor ? await siteOf(visitor, context, params) : await readSite(context, params)
  if (!site.published && !visitor?.previews) throw new Failure('not_found', 'The site is not published')
  return site
}

async function siteOf(
  { organization, site: own }: Visitor,
  { db }: Context,
  { organizationId, siteId }: SiteParams,
): Promise<sites.SiteView> {
  const site = own === siteId && organization === organizationId ? await sites.find(db, siteId) : undefined
  if (!site) throw new Failure('not_found', 'There is no such site')
  return site
}

/** The structure that a visitor sees: the part that their claims let through, of the spaces that their token names. */
function shownToVisitor(all: ShownStructure, { claims, spaces }: Visitor): ShownStructure {
  return withSpaces(shownTo(all, claims), new Set(spaces))
}

/** Reads the part of a site that the caller sees: visitors by their token alone, members the spaces that they can read. */
async function readSeenStructure(context: Context, site: sites.SiteView): Promise<Omit<SeenSite, 'site'>> {
  const stored = await structures.load(context.db, site.id)
  const { visitor } = context.actor
  if (visitor) {
    const live = shownToVisitor(liveStructure(stored), visitor)
    return { live, structure: visitor.showsDrafts ? shownToVisitor(shownStructure(stored), visitor) : live }
  }
  const all = liveStructure(stored)
  const ids = all.siteSpaces.map(({ spaceId }) => spaceId)
  const spaces = await readableSpaces(context, site.organizationId, ids)
  const live = withSpaces(all, spaces)
  return { live, structure: live, spaces }
}
