import type { Visitor } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import { maxAddresses, type publishingRpc } from '@recto/contracts-publishing-bus'
import { Failure, type Output } from '@recto/operation'
import pMap from 'p-map'
import { visitedPlaceOf, type PlaceUrl, parsePlaceUrl, type VisitedPlace } from '../pages/visited-place.rules.ts'
import type { Context } from '../shared/context.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { groupBy } from '../lists/group-by.ts'
import { findPages } from '../former-paths/find-pages.ts'
import { batches } from '../lists/batches.ts'

/** Distinct URLs of one text that are looked up; further ones lead nowhere. */
const maxPlaces = 500

type Tools = Pick<Context, 'db' | 'publicUrl' | 'publishing'> & { visitor: Visitor | undefined }
type Address = Output<typeof publishingRpc.findAddresses>['addresses'][number]

/** The reader of a space, and its publication for them, if there is one. */
interface Audience {
  visitor: Visitor
  isOnSite: boolean
  url?: string | undefined
}

/**
 * The places that URLs of the application lead to for a visitor, or for anonymousVisitor: content that they see in other spaces of the site,
 * else public content of another site. A URL that leads nowhere has no entry.
 */
export async function visitedPlaces(urls: Iterable<string>, tools: Tools): Promise<Map<string, VisitedPlace>> {
  const places = [...new Set(urls)].slice(0, maxPlaces).flatMap(url => parsePlaceUrl(url, tools.publicUrl) ?? [])
  const audiences = await audiencesOf([...new Set(places.map(({ space }) => space))], tools)
  const bySpace = groupBy(places, ({ space }) => space)
  const entries = await pMap(
    [...audiences],
    ([space, audience]) => placesIn(bySpace.get(space) ?? [], audience, tools),
    requestConcurrency,
  )
  return new Map(entries.flat())
}

async function placesIn(
  places: PlaceUrl[],
  { visitor, ...audience }: Audience,
  { db }: Pick<Tools, 'db'>,
): Promise<[string, VisitedPlace][]> {
  const actor = visitorActor(visitor)
  const addresses = places.map(({ space, page }) => ({ space, ...(page ?? { path: '' }) }))
  const pages = await findPages({ db, actor }, visitor.organization, addresses)
  return places.flatMap(({ url, ...place }, at): [string, VisitedPlace][] => {
    const page = pages[at]
    return place.page && !page ? [] : [[url, visitedPlaceOf(place, { page: place.page && page, ...audience })]]
  })
}

/** The reader of each space: the visitor on their site, else anonymousVisitor on a public one; spaces that are closed to both have no entry. */
async function audiencesOf(spaces: readonly string[], tools: Tools): Promise<Map<string, Audience>> {
  const { visitor } = tools
  const audiences = new Map<string, Audience>()
  for (const space of spaces) if (visitor?.spaces.includes(space)) audiences.set(space, { visitor, isOnSite: true })
  // The published site may differ from a preview, so its addresses do not apply.
  const isPreview = visitor?.previews || visitor?.changeRequest !== undefined || visitor?.revision !== undefined
  const spacesToAddress = isPreview ? spaces.filter(space => !audiences.has(space)) : spaces
  for (const address of await addressesOf(spacesToAddress, { ...tools, visitor: isPreview ? undefined : visitor })) {
    const { space, url } = address
    const onSite = audiences.get(space)
    audiences.set(space, onSite ? { ...onSite, url } : { visitor: anonymousVisitor(address), isOnSite: false, url })
  }
  return audiences
}

function anonymousVisitor({ organization, site, version, space, claims }: Address): Visitor {
  return { organization, site, version, spaces: [space], claims }
}

/** Loads the addresses of spaces; none while publishing does not reply. */
async function addressesOf(spaces: readonly string[], { publishing, visitor }: Tools): Promise<Address[]> {
  const addresses: Address[] = []
  try {
    const own = visitor && { site: visitor.site, claims: visitor.claims }
    for (const batch of batches(spaces, maxAddresses)) {
      const body = { spaces: batch, ...(own && { visitor: own }) }
      addresses.push(...(await publishing.findAddresses({ body })).addresses)
    }
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== 'unavailable' && error.code !== 'timeout')) throw error
  }
  return addresses
}
