import { addressBelow } from '../addresses/addresses.rules.ts'
import { encodePart } from '../addresses/decode-part.ts'
import { leadsNowhere } from '../published-sites/leads-nowhere.ts'
import { isWildcard } from '../redirects/canonical-source.rules.ts'
import { appendToUrl, hasDotSegment, matchWildcard, type WildcardMatch } from '../redirects/match-wildcard.rules.ts'
import { isOwnUrl } from '../redirects/own-url.rules.ts'
import type { RedirectRow } from '../redirects/redirect.entity.ts'
import * as redirects from '../redirects/redirects.repository.ts'
import type { Context } from '../shared/context.ts'
import type { SiteView } from '../sites/sites.repository.ts'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import {
  isSamePath,
  partsOfSource,
  placeAtPath,
  placeOf,
  type SiteDestination,
  spellingsOf,
} from './redirection.rules.ts'

/** A path of a site, and what the caller sees there. */
export interface RedirectRequest {
  site: SiteView
  /** The address below which the caller finds the site. */
  root: string
  structure: ShownStructure
  source: string
}

/** A path below a site: the parts of its section and space, and those of a page in it, which exists. */
export interface SitePath {
  place: string[]
  page: string[]
}

/** Largest number of redirects of a site that are followed to find out whether they lead round in a circle. */
const maxHops = 10

/**
 * Where a redirect of the site leads: that of the path itself, else that of the longest wildcard. One that leads to what the caller does
 * not see, to what is gone, or back to the path, leads nowhere.
 */
export async function followOwnRedirect(
  context: Context,
  request: RedirectRequest,
): Promise<{ redirect: RedirectRow; target: string } | undefined> {
  const match = await findOwnRedirect(context, request)
  if (!match) return undefined
  const { redirect } = match
  const suffix = appendedSuffix(match)
  const { destination } = redirect
  if (destination.kind === 'external') {
    if (isOwnUrl(destination.url, request.site, context)) throw leadsNowhere()
    return { redirect, target: appendToUrl(destination.url, suffix) }
  }
  const path = await pathOf(context, request, { destination, suffix })
  if (!path || (await leadsBack(context, request, path))) throw leadsNowhere()
  return { redirect, target: urlOf(request.root, path) }
}

/** The URL of a path of a site. */
export function urlOf(root: string, { place, page }: SitePath): string {
  return `${addressBelow(root, place)}${page.map(encodeURIComponent).join('/')}`
}

async function findOwnRedirect(
  { db }: Context,
  { site, source }: Pick<RedirectRequest, 'site' | 'source'>,
): Promise<WildcardMatch<RedirectRow> | undefined> {
  const spellings = spellingsOf(source)
  const redirect = await redirects.findLiveBySource(db, site.id, spellings)
  if (redirect) return { redirect, suffix: [] }
  if (isWildcard(source)) throw leadsNowhere()
  return matchWildcard(await redirects.findLiveWildcards(db, site.id, spellings), partsOfSource(source))
}

/** The parts that are appended to the destination of a redirect; throws `not_found` for what would lead out of it. */
function appendedSuffix({ redirect, suffix }: WildcardMatch<RedirectRow>): string[] {
  if (!redirect.captureWildcard) return []
  if (hasDotSegment(suffix)) throw leadsNowhere()
  return suffix
}

/**
 * The path of a destination with what is appended to it: that of a page which exists, or of a section or space; undefined where the caller
 * sees none.
 */
async function pathOf(
  context: Context,
  { site, structure }: RedirectRequest,
  { destination, suffix }: { destination: SiteDestination; suffix: readonly string[] },
): Promise<SitePath | undefined> {
  const place = placeOf(structure, destination)
  if (!place) return undefined
  const { parts, space } = place
  const pagePath = async (at: Place) => {
    const { pages } = await context.content.findPages({
      body: { actor: context.actor, organization: site.organizationId, places: [at] },
    })
    return pages[0]?.path
  }
  if (destination.kind === 'site-page' && space !== undefined) {
    const path = await pagePath({ space, page: destination.pageId })
    const isAppended = path !== undefined && suffix.length > 0
    const below = isAppended ? await pagePath({ space, path: [path, ...suffix].join('/') }) : path
    return below === undefined ? undefined : { place: parts, page: below.split('/') }
  }
  if (suffix.length === 0) return { place: parts, page: [] }
  const candidate = placeAtPath(structure, [...parts, ...suffix])
  const candidatePlace = candidate && placeOf(structure, candidate.destination)
  if (!candidate || !candidatePlace) return undefined
  const { rest, siteSpace } = candidate
  if (rest.length === 0) return { place: candidatePlace.parts, page: [] }
  const page = await pagePath({ space: siteSpace.spaceId, path: rest.join('/') })
  return page === undefined ? undefined : { place: candidatePlace.parts, page: page.split('/') }
}

type Place = Parameters<Context['content']['findPages']>[0]['body']['places'][number]

/**
 * Whether a target is the path itself, or redirects of the site lead from it back to the path. A page that exists answers by itself, a
 * section or space without a first page is asked for again. Each path of a circle leads nowhere; one that leads into the circle ends there.
 */
async function leadsBack(context: Context, request: RedirectRequest, target: SitePath): Promise<boolean> {
  const source = partsOfSource(request.source)
  const visited = new Set<string>()
  let path: SitePath | undefined = target
  while (visited.size < maxHops) {
    if (!path || visited.has(path.place.join('/'))) return false
    if (isSamePath([...path.place, ...path.page], source)) return true
    if (path.page.length > 0 || path.place.length === 0) return false
    visited.add(path.place.join('/'))
    const next = { ...request, source: `/${path.place.map(encodePart).join('/')}` }
    const match = await findOwnRedirect(context, next)
    if (!match || match.redirect.destination.kind === 'external') return false
    const { destination } = match.redirect
    path = await pathOf(context, next, { destination, suffix: appendedSuffix(match) })
  }
  return true
}
