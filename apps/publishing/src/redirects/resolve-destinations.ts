import type { SiteRedirectInputDestination } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'
import type { z } from 'zod'
import { requireTargets } from '../customization/check-targets.ts'
import type { Context } from '../shared/context.ts'
import type { SiteView } from '../sites/sites.repository.ts'
import type { Structure } from '../structure/structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import { isOwnUrl } from './own-url.rules.ts'
import type { RedirectRow } from './redirect.entity.ts'

type Destination = RedirectRow['destination']

/** Where a redirect is to lead, and the field that says so. */
export interface DestinationField {
  field: string
  destination: z.output<typeof SiteRedirectInputDestination>
}

/** Most places that content looks up in one call. */
const maxPlaces = 10

/**
 * Returns the destinations of redirects of a site, with pages in place of paths. Throws `not_found`, naming the field, where the site does
 * not show one, and `invalid_request` for a URL of the site itself.
 */
export async function resolveDestinations(
  context: Context,
  site: SiteView,
  fields: readonly DestinationField[],
): Promise<Destination[]> {
  if (fields.length === 0) return []
  const structure = await structures.load(context.db, site.id)
  for (const { field, destination } of fields)
    if (destination.kind === 'external' && isOwnUrl(destination.url, site, context))
      throw fieldFault(`${field}.url`, 'is on this site: name its section, space or page instead')
  const targets = fields.flatMap(destination => pageTarget(structure, destination))
  await requireTargets(context, { organization: site.organizationId, structure }, targets)
  return resolvePaths(context, { site, structure }, fields)
}

/** Returns the destination of one redirect of a site; throws as `resolveDestinations` does. */
export async function resolveDestination(
  context: Context,
  site: SiteView,
  destinationField: DestinationField,
): Promise<Destination> {
  const [destination] = await resolveDestinations(context, site, [destinationField])
  if (!destination) throw new RangeError('each field has a destination')
  return destination
}

/** The page that a redirect is to lead to, whose space the site shows; none for other destinations. */
function pageTarget(structure: Structure, { field, destination }: DestinationField) {
  const missing = (name: string, what: string) =>
    fieldFault(`${field}.${name}`, `the site has no such ${what}`, 'not_found')
  if (destination.kind === 'external') return []
  if (destination.kind === 'site-section') {
    if (structure.sections.some(({ id }) => id === destination.siteSectionId)) return []
    throw missing('siteSectionId', 'section')
  }
  if (destination.kind === 'path') {
    if (structure.siteSpaces.some(({ spaceId }) => spaceId === destination.spaceId)) return []
    throw missing('spaceId', 'space')
  }
  const siteSpace = structure.siteSpaces.find(({ id }) => id === destination.siteSpaceId)
  if (!siteSpace) throw missing('siteSpaceId', 'space')
  if (destination.kind === 'site-space') return []
  const target = { kind: 'page' as const, id: destination.pageId }
  return [{ field: `${field}.pageId`, space: siteSpace.spaceId, target }]
}

async function resolvePaths(
  { content, actor }: Context,
  { site: { organizationId: organization }, structure }: { site: SiteView; structure: Structure },
  fields: readonly DestinationField[],
): Promise<Destination[]> {
  const places = fields.flatMap(({ destination }) =>
    destination.kind === 'path' ? [{ space: destination.spaceId, path: trimSlashes(destination.path) }] : [],
  )
  const pages: ({ id: string } | null)[] = []
  for (let at = 0; at < places.length; at += maxPlaces) {
    const body = { actor, organization, places: places.slice(at, at + maxPlaces) }
    pages.push(...(await content.findPages({ body })).pages)
  }
  let next = 0
  return fields.map(({ field, destination }) => {
    if (destination.kind !== 'path') return destination
    const page = pages[next++]
    const siteSpace = structure.siteSpaces.find(({ spaceId }) => spaceId === destination.spaceId)
    if (!page || !siteSpace) throw fieldFault(`${field}.path`, 'the space has no page at this path', 'not_found')
    return { kind: 'site-page', siteSpaceId: siteSpace.id, pageId: page.id }
  })
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}
