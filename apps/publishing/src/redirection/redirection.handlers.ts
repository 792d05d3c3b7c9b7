import { siteRedirection } from '@recto/contracts-publishing'
import { feature, fromView, type Input } from '@recto/operation'
import { openPublished } from '../published-sites/read-published.ts'
import { publishedRoot } from '../share-links/published-root.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { leadsNowhere } from '../published-sites/leads-nowhere.ts'
import * as formerPaths from '../former-paths/former-site-paths.repository.ts'
import { isWildcard } from '../redirects/canonical-source.rules.ts'
import { withQuery } from '../redirects/match-wildcard.rules.ts'
import { presentRedirect } from '../redirects/present-redirect.ts'
import { followOwnRedirect, type RedirectRequest, type SitePath, urlOf } from './own-redirects.ts'
import {
  candidatesOf,
  derivedId,
  isSamePath,
  partsOfSource,
  placeOf,
  prefixesOf,
  type SiteDestination,
} from './redirection.rules.ts'

export const redirectionFeature = feature<BaseContext>()(siteRedirection, {
  getSiteRedirectBySource: fromView(openPublished, async ({ site, structure }, { query }: RedirectInput, context) => {
    const { source, shareKey, query: added = '' } = query
    if (!site.published) throw leadsNowhere()
    const { address: root } = await publishedRoot(context, site, shareKey)
    const request = { site, root, structure, source }
    const own = await followOwnRedirect(context, request)
    if (own) {
      const { redirect, target } = own
      const ofSource = isWildcard(redirect.source) ? redirect : { ...redirect, source }
      return { redirect: presentRedirect(ofSource), target: withQuery(target, added) }
    }
    const match = await findByPath(context, request)
    if (!match || isSamePath([...match.path.place, ...match.path.page], partsOfSource(source))) throw leadsNowhere()
    return { redirect: derivedRedirect(request, match.destination), target: withQuery(urlOf(root, match.path), added) }
  }),
})

type RedirectInput = Input<typeof siteRedirection.getSiteRedirectBySource>

/** A redirect that nobody made: it follows from the structure and the pages of the site, and is as old as the site. */
function derivedRedirect({ site, source }: RedirectRequest, destination: SiteDestination) {
  const settings = { draft: false, captureWildcard: false, permanent: false }
  const id = derivedId(site.id, source)
  const { createdAt } = site
  return presentRedirect({ id, siteId: site.id, source, destination, ...settings, createdAt, updatedAt: null })
}

/** The destination of a path that has no redirect, and where that is. */
interface PathMatch {
  destination: SiteDestination
  path: SitePath
}

/** Finds the redirect for a current or former path of the site and its spaces. */
async function findByPath(context: Context, request: RedirectRequest): Promise<PathMatch | undefined> {
  const { site, structure, source } = request
  const parts = partsOfSource(source)
  const candidates = candidatesOf(structure, await formerPaths.find(context.db, site.id, prefixesOf(parts)), parts)
  const inSpaces = candidates.filter(({ rest }) => rest.length > 0)
  const places = inSpaces.map(({ siteSpace, rest }) => ({ space: siteSpace.spaceId, path: rest.join('/') }))
  const pages = await findPages(context, site.organizationId, places)
  for (const candidate of candidates) {
    const { rest, destination, siteSpace } = candidate
    const page = pages[inSpaces.indexOf(candidate)]
    if (rest.length > 0 && !page) continue
    const to: SiteDestination = page ? { kind: 'site-page', siteSpaceId: siteSpace.id, pageId: page.id } : destination
    const place = placeOf(structure, to)
    if (place) return { destination: to, path: { place: place.parts, page: page?.path.split('/') ?? [] } }
  }
  return undefined
}

type Places = Parameters<Context['content']['findPages']>[0]['body']['places']

async function findPages({ content, actor }: Context, organization: string, places: Places) {
  if (places.length === 0) return []
  return (await content.findPages({ body: { actor, organization, places } })).pages
}
