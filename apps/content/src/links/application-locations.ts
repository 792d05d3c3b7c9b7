import type { ContentLocation } from '@recto/contracts-content'
import { Failure } from '@recto/operation'
import type { z } from 'zod'
import pMap from 'p-map'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import { presentCollection } from '../collections/present-collection.ts'
import { readableCollection } from '../collections/readable-collection.ts'
import { presentSpace } from '../spaces/present-space.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import { namedTarget } from '../pages/named-target.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { presentPage, type Presentation } from '../pages/present-page.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import { anchorOf, parsePlaceUrl, type PlaceUrl } from '../pages/visited-place.rules.ts'
import type { Context } from '../shared/context.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { describeMembers } from '../users/users.ts'
import * as revisions from '../revisions/revisions.repository.ts'

type Location = z.input<typeof ContentLocation>
type Organization = Extract<Location, { kind: 'space' }>['organization']

interface LocationContext {
  organization: Organization
  /** The presentation of pages of the space that has the references. */
  presentation: Presentation
}

interface OtherSpace extends Pick<ReadableSpace, 'space' | 'access'> {
  pages: PageIndex
}

/**
 * Finds the targets of the application's URLs, by URL, as far as the caller can read them in the organization: other spaces with their
 * pages, collections, members.
 */
export async function applicationLocations(
  rows: readonly ContentReferenceRow[],
  locationContext: LocationContext,
  context: Context,
): Promise<Map<string, Location>> {
  const allUrls = rows.flatMap(({ reference, status }) =>
    reference?.kind === 'url' && status === 'in-app' ? [reference.url] : [],
  )
  const urls = [...new Set(allUrls)]
  const locations = await Promise.all([
    findInOtherSpaces(urls, locationContext, context),
    findCollections(urls, locationContext, context),
    findMembers(urls, locationContext, context),
  ])
  return new Map(locations.flat())
}

type UrlLocations = [url: string, location: Location][]

async function findInOtherSpaces(
  urls: readonly string[],
  { organization, presentation }: LocationContext,
  context: Context,
): Promise<UrlLocations> {
  const places = urls.flatMap(url => parsePlaceUrl(url, context.publicUrl) ?? [])
  const ids = [...new Set(places.map(({ space }) => space))]
  const others = await pMap(ids, id => loadOtherSpace(id, organization, context), requestConcurrency)
  const spaces = new Map(others.flatMap(other => (other ? [[other.space.id, other] as const] : [])))
  return places.flatMap((place): UrlLocations => {
    const other = spaces.get(place.space)
    const location = other && locationIn(other, { place, organization, presentation })
    return location ? [[place.url, location]] : []
  })
}

async function findCollections(
  urls: readonly string[],
  { organization }: LocationContext,
  context: Context,
): Promise<UrlLocations> {
  const idsByUrl = idsOf(urls, 'collection', context)
  const locations = await pMap(
    idsByUrl,
    async ([url, id]): Promise<UrlLocations> => {
      const readable = await readableCollection(context, id).catch(ignoreHidden)
      if (readable?.collection.organizationId !== organization.id) return []
      const collection = presentCollection(readable.collection, readable.access, context.publicUrl)
      return [[url, { kind: 'collection', organization, collection }]]
    },
    requestConcurrency,
  )
  return locations.flat()
}

async function findMembers(
  urls: readonly string[],
  { organization }: LocationContext,
  context: Context,
): Promise<UrlLocations> {
  const idsByUrl = idsOf(urls, 'user', context)
  const members = await describeMembers(
    context,
    organization.id,
    idsByUrl.map(([, id]) => id),
  )
  return idsByUrl.flatMap(([url, id]): UrlLocations => {
    const user = members.get(id)
    return user ? [[url, { kind: 'user', user }]] : []
  })
}

/** The URLs that name a collection or a user, with its id. */
function idsOf(
  urls: readonly string[],
  kind: 'collection' | 'user',
  { publicUrl }: Pick<Context, 'publicUrl'>,
): [url: string, id: string][] {
  return urls.flatMap(url => {
    const ref = namedTarget(url, { publicUrl, spaceId: '' })
    if (ref?.kind !== kind) return []
    return [[url, ref.kind === 'user' ? ref.user : ref.kind === 'collection' ? ref.collection : '']]
  })
}

async function loadOtherSpace(
  id: string,
  organization: Organization,
  context: Context,
): Promise<OtherSpace | undefined> {
  const readable = await readableSpace(context, id).catch(ignoreHidden)
  if (readable?.space.organizationId !== organization.id) return undefined
  const revision = await revisions.get(context.db, readable.space.revision)
  return { ...readable, pages: await loadShownPages(context.db, revision) }
}

function ignoreHidden(error: unknown): undefined {
  if (error instanceof Failure && (error.code === 'not_found' || error.code === 'forbidden')) return undefined
  throw error
}

function locationIn(
  { space, access, pages }: OtherSpace,
  { place, organization, presentation }: LocationContext & { place: PlaceUrl },
): Location | undefined {
  const owner = { organization, space: presentSpace(space, access, presentation.publicUrl) }
  if (!place.page) return { kind: 'space', ...owner }
  const record = 'page' in place.page ? pages.get(place.page.page) : pages.byPath(place.page.path)
  if (!record) return undefined
  const { content: _own, ...others } = presentation
  const flat = { childrenOf: () => [], pathOf: (id: string) => pages.pathOf(id) }
  const page = presentPage(record, flat, { ...others, spaceId: space.id })
  const anchor = anchorOf(place.hash)
  return { kind: 'page', ...owner, page, ...(anchor !== '' && { internalLocation: { type: 'anchor', anchor } }) }
}
