import { siteRedirection } from '@recto/contracts-publishing'
import { feature, fromView, type Input } from '@recto/operation'
import { openPublished } from '../published-sites/read-published.ts'
import { publishedRoot } from '../share-links/published-root.ts'
import { addressBelow } from '../addresses/addresses.rules.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { leadsNowhere } from '../published-sites/leads-nowhere.ts'
import * as formerPaths from '../former-paths/former-site-paths.repository.ts'
import * as redirects from '../redirects/redirects.repository.ts'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import {
  candidatesOf,
  derivedId,
  type Destination,
  isSamePath,
  partsOfSource,
  placeOf,
  prefixesOf,
  spellingsOf,
} from './redirection.rules.ts'

/** The target of a path of a site: a redirect, and the path of its target below the site, of which the last parts are a page's. */
interface RedirectMatch {
  redirect: { id: string; destination: Destination }
  place: string[]
  page: string[]
}

/** A path of a site, and what the caller sees there. */
interface RedirectRequest {
  organization: string
  siteId: string
  structure: ShownStructure
  source: string
}

export const redirectionFeature = feature<BaseContext>()(siteRedirection, {
  getSiteRedirectBySource: fromView(openPublished, async ({ site, structure }, { query }: RedirectInput, context) => {
    const { source, shareKey } = query
    if (!site.published) throw leadsNowhere()
    const { address: root } = await publishedRoot(context, site, shareKey)
    const request = { organization: site.organizationId, siteId: site.id, structure, source }
    const destination = (await byOwnRedirect(context, request)) ?? (await findByPath(context, request))
    if (!destination || isSamePath([...destination.place, ...destination.page], partsOfSource(source)))
      throw leadsNowhere()
    return {
      redirect: { object: 'site-redirect', ...destination.redirect, source },
      target: `${addressBelow(root, destination.place)}${destination.page.map(encodeURIComponent).join('/')}`,
    }
  }),
})

type RedirectInput = Input<typeof siteRedirection.getSiteRedirectBySource>

/** By a redirect of the site. One that leads to what the caller does not see, or what is gone, leads nowhere. */
async function byOwnRedirect(context: Context, { organization, siteId, structure, source }: RedirectRequest) {
  const redirect = await redirects.findBySource(context.db, siteId, spellingsOf(source))
  if (!redirect) return undefined
  const { id, destination } = redirect
  const place = placeOf(structure, destination)
  if (!place) throw leadsNowhere()
  if (destination.kind !== 'site-page' || place.space === undefined)
    return { redirect: { id, destination }, place: place.parts, page: [] }
  const [page] = await findPages(context, organization, [{ space: place.space, page: destination.pageId }])
  if (!page) throw leadsNowhere()
  return { redirect: { id, destination }, place: place.parts, page: page.path.split('/') }
}

/** Finds the redirect for a current or former path of the site and its spaces. */
async function findByPath(context: Context, request: RedirectRequest): Promise<RedirectMatch | undefined> {
  const { organization, siteId, structure, source } = request
  const parts = partsOfSource(source)
  const candidates = candidatesOf(structure, await formerPaths.find(context.db, siteId, prefixesOf(parts)), parts)
  const inSpaces = candidates.filter(({ rest }) => rest.length > 0)
  const places = inSpaces.map(({ siteSpace, rest }) => ({ space: siteSpace.spaceId, path: rest.join('/') }))
  const pages = await findPages(context, organization, places)
  const id = derivedId(siteId, source)
  for (const candidate of candidates) {
    const { rest, destination, siteSpace } = candidate
    const page = pages[inSpaces.indexOf(candidate)]
    if (rest.length > 0 && !page) continue
    const to: Destination = page ? { kind: 'site-page', siteSpaceId: siteSpace.id, pageId: page.id } : destination
    const place = placeOf(structure, to)
    if (place) return { redirect: { id, destination: to }, place: place.parts, page: page?.path.split('/') ?? [] }
  }
  return undefined
}

type Places = Parameters<Context['content']['findPages']>[0]['body']['places']

async function findPages({ content, actor }: Context, organization: string, places: Places) {
  if (places.length === 0) return []
  return (await content.findPages({ body: { actor, organization, places } })).pages
}
