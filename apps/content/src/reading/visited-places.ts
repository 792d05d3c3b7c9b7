import type { Visitor } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import { maxAddresses, type publishingRpc } from '@recto/contracts-publishing-bus'
import { Failure, type Output } from '@recto/operation'
import pMap from 'p-map'
import { placeOf, type PlacedUrl, placeRequested, type VisitedPlace } from '../pages/visited-place.rules.ts'
import type { Context } from '../shared/context.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { groupBy } from '../lists/group-by.ts'
import { findPages } from '../former-paths/find-pages.ts'
import { batches } from '../lists/batches.ts'

/** Different URLs of one text that are looked up; the others lead nowhere. */
const maxPlaces = 500

type Tools = Pick<Context, 'db' | 'publicUrl' | 'publishing'> & { visitor: Visitor | undefined }
type Address = Output<typeof publishingRpc.findAddresses>['addresses'][number]

/** Who reads a space, and where it is published for them, if anywhere. */
interface Audience {
  visitor: Visitor
  isOnSite: boolean
  url?: string | undefined
}

/**
 * Where URLs of the application lead for a visitor, or for anonymousVisitor: to what they see of other spaces of the site, else to what is public
 * on another one. What leads nowhere has no entry.
 */
export async function visitedPlaces(urls: Iterable<string>, tools: Tools): Promise<Map<string, VisitedPlace>> {
  const places = [...new Set(urls)].slice(0, maxPlaces).flatMap(url => placeRequested(url, tools.publicUrl) ?? [])
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
  places: PlacedUrl[],
  { visitor, ...audience }: Audience,
  { db }: Pick<Tools, 'db'>,
): Promise<[string, VisitedPlace][]> {
  const actor = visitorActor(visitor)
  const addresses = places.map(({ space, page }) => ({ space, ...(page ?? { path: '' }) }))
  const pages = await findPages({ db, actor }, visitor.organization, addresses)
  return places.flatMap(({ url, ...place }, at): [string, VisitedPlace][] => {
    const page = pages[at]
    return place.page && !page ? [] : [[url, placeOf(place, { page: place.page && page, ...audience })]]
  })
}

/** For each space who reads it: the visitor on their site, else anonymousVisitor on a public one; spaces that are closed to both have no entry. */
async function audiencesOf(spaces: readonly string[], tools: Tools): Promise<Map<string, Audience>> {
  const { visitor } = tools
  const audiences = new Map<string, Audience>()
  for (const space of spaces) if (visitor?.spaces.includes(space)) audiences.set(space, { visitor, isOnSite: true })
  // The addresses of the published site may show something else than a preview, or nothing.
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

/** None while publishing does not answer: then nobody can tell. */
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
