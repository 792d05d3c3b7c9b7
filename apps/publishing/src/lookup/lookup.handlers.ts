import type { Actor } from '@recto/actor'
import {
  signPreview,
  signVisitorToken,
  type VisitorPlace,
  visitorTokenKeys,
  visitorTokenWindow,
} from '@recto/actor/visitor-token'
import { lookup } from '@recto/contracts-publishing'
import { Failure, feature, fieldFault, limitForbids, type Output, type Secrets } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import {
  resolvePath,
  type ResolvedPreview,
  shownTo,
  type Resolved,
  withSpaces,
} from '../published-sites/resolve-path.rules.ts'
import { addressBelow, addressOf } from '../addresses/addresses.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import { previewAddress } from '../sites/present-site.ts'
import { readSite } from '../sites/update-site.ts'
import { addressOfSiteSpace } from '../structure/site-addresses.rules.ts'
import { liveStructure, type ShownStructure, shownStructure } from '../structure/shown-structure.rules.ts'
import type { SiteSpaceRow } from '../structure/site-space.entity.ts'
import { readableSpaces } from '../structure/spaces-of-sites.ts'
import * as structures from '../structure/structure.repository.ts'
import { findSiteAtUrl, type SiteAtUrl } from './find-site-at-url.ts'
import { admitVisitor, type VisitorPayload } from './open-site.ts'
import { readClaims } from './read-claims.ts'
import { resolvePreview } from './resolve-preview.ts'

/** Tokens that were signed, by everything that is in them: signing costs more than all the rest of a lookup. */
const tokens = new LRUCache<string, Promise<string>>({ max: 20_000, ttl: visitorTokenWindow })

/** Answers what readers ask first; `visitedSites` are the sites that visitors open. */
export const lookupFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(lookup, {
    resolvePublishedContentByUrl: ({ body, headers: { authorization } }, context) =>
      resolve({ ...body, authorization }, { ...context, visitedSites }),

    getPublishedContentByUrl({ query: { url, visitorAuthToken: jwtToken, redirectOnError }, headers }, context) {
      const { authorization } = headers
      const lookup = { url, visitor: { jwtToken }, redirectOnError: redirectOnError === 'true', authorization }
      return resolve(lookup, { ...context, visitedSites })
    },

    async getSitePublishingPreviewById({ params, query }, context) {
      const { siteSpace, claims, draft: isDraft, comments, target } = query
      const site = await readSite(context, params)
      // A preview shows what its maker may read, not what a token may.
      if (context.actor.limitedTo) throw limitForbids()
      const root = target === undefined ? previewAddress(site, context) : withSlash(target)
      if (root === undefined)
        throw new Failure(
          'invalid_request',
          'READER_URL is not set: the installation does not know a reader for previews',
        )
      const stored = await structures.load(context.db, site.id)
      const showsDrafts = isDraft === 'true'
      const structure = showsDrafts ? shownStructure(stored) : liveStructure(stored)
      const begin = structure.siteSpaces.find(({ id }) => id === siteSpace)
      if (siteSpace !== undefined && !begin) throw fieldFault('query.siteSpace', 'is no space of the site', 'not_found')
      const { userId: user } = context.actor
      const visitorClaims = claims === undefined ? {} : readClaims(claims)
      const preview = { site: site.id, user, claims: visitorClaims, showsDrafts, showsComments: comments === 'true' }
      const token = await signPreview(preview, context.signingSecret)
      await requireReadable(context, { organization: site.organizationId, structure, begin })
      const url = new URL(begin ? addressOfSiteSpace(structure, begin, root) : root)
      url.searchParams.set('token', token)
      return { url: url.href }
    },
  })

/** Throws where the caller would see nothing: `not_found` for a space to begin at that they cannot read, and `forbidden` when they can read none. */
async function requireReadable(
  context: Pick<BaseContext, 'content'> & { actor: Actor },
  {
    organization,
    structure,
    begin,
  }: { organization: string; structure: ShownStructure; begin: SiteSpaceRow | undefined },
): Promise<void> {
  const ids = structure.siteSpaces.map(({ spaceId }) => spaceId)
  if (ids.length === 0) return
  const spaces = await readableSpaces(context, organization, ids)
  if (begin && !spaces.has(begin.spaceId)) throw fieldFault('query.siteSpace', 'is no space of the site', 'not_found')
  if (spaces.size === 0) throw nothingToPreview()
}

function nothingToPreview(): Failure {
  return new Failure('forbidden', 'This preview shows nothing: whoever made it may read none of the spaces of the site')
}

/** The address of a reader that shows the site, ending in a slash. */
function withSlash(target: string): string {
  const url = new URL(target)
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`
}

interface LookupRequest {
  url: string
  visitor?: (VisitorPayload & { type?: 'human' | 'agent' }) | undefined
  redirectOnError: boolean
  authorization: string | undefined
}

/** Finds what an address leads to, for a visitor. */
async function resolve(
  { url, visitor = {}, redirectOnError, authorization }: LookupRequest,
  context: BaseContext & { visitedSites: VisitedSites },
): Promise<Output<typeof lookup.resolvePublishedContentByUrl>> {
  const siteAtUrl = await findSiteAtUrl(url, authorization, context)
  const { visited, parts, own, sitePreview } = siteAtUrl
  if (visitor.type === 'agent' && visited.site.agentsContext === 'excluded')
    throw new Failure('forbidden', 'This site excludes AI agents')
  const { publicUrl, sitesUrl, signingSecret: secret } = context
  const root = `${new URL(url).origin}${pathOf(parts.slice(0, own)).replace(/\/$/, '')}`
  const opening = {
    visitor,
    db: context.db,
    visits: context.visits,
    root,
    parts: parts.slice(own),
    redirectOnError,
    publicUrl,
    sitesUrl,
    secret,
  }
  const admission = sitePreview ? { claims: sitePreview.claims } : await admitVisitor(visited, opening)
  if ('login' in admission) return { target: 'external', site: visited.site.id, redirect: admission.login }
  const all = sitePreview?.showsDrafts ? visited.withDrafts : visited.structure
  const visibleStructure = shownTo(all, admission.claims)
  const structure = sitePreview ? withSpaces(visibleStructure, new Set(sitePreview.spaces)) : visibleStructure
  if (sitePreview && structure.siteSpaces.length === 0 && visibleStructure.siteSpaces.length > 0)
    throw nothingToPreview()
  const resolved = resolvePath(structure, parts.slice(own))
  if (!resolved) throw new Failure('not_found', 'This site shows nothing yet')
  const preview = await resolvePreview({ siteAtUrl, resolved, authorization }, context)
  return presentLookup({ siteAtUrl, structure, resolved: { ...resolved, preview }, claims: admission.claims }, context)
}

interface Resolution {
  siteAtUrl: SiteAtUrl
  structure: ShownStructure
  resolved: Omit<Resolved, 'preview'> & { preview: ResolvedPreview }
  claims: Record<string, unknown>
}

async function presentLookup(
  { siteAtUrl, structure, resolved, claims }: Resolution,
  context: Pick<BaseContext, 'sitesUrl' | 'signingSecret' | 'requestId'>,
): Promise<Output<typeof lookup.resolvePublishedContentByUrl>> {
  const { visited, parts, own, shareKey } = siteAtUrl
  const { site } = visited
  const { siteSpace, used, isComplete, preview } = resolved
  const place = placeOf(resolved)
  const address = addressOf(site, context.sitesUrl)
  const root = shareKey === undefined ? address : addressBelow(address, [shareKey])
  const rest = parts.slice(own + used)
  return {
    organization: site.organizationId,
    site: site.id,
    ...place,
    ...preview,
    ...(siteAtUrl.sitePreview && { preview: true }),
    ...(siteAtUrl.sitePreview?.member !== undefined && { comments: true }),
    pathname: `/${rest.map(encodeURIComponent).join('/')}`,
    basePath: pathOf(parts.slice(0, own + used)),
    siteBasePath: pathOf(parts.slice(0, own)),
    apiToken: await tokenFor({ siteAtUrl, structure, resolved, claims }, place, context.signingSecret),
    ...(shareKey !== undefined && { shareKey }),
    complete: isComplete,
    contextId: context.requestId,
    canonicalUrl: `${addressOfSiteSpace(structure, siteSpace, root)}${rest.map(encodeURIComponent).join('/')}`,
  }
}

function pathOf(parts: readonly string[]): string {
  return parts.length === 0 ? '/' : `/${parts.map(encodeURIComponent).join('/')}/`
}

function placeOf({ section, siteSpace }: Pick<Resolved, 'section' | 'siteSpace'>): VisitorPlace {
  return { siteSpace: siteSpace.id, siteSection: section?.id, space: siteSpace.spaceId }
}

/** The token for what the visitor sees: identical within a window, as readers keep what they read by it. */
function tokenFor(
  { siteAtUrl, structure, resolved, claims }: Resolution,
  place: VisitorPlace,
  secret: Secrets,
): Promise<string> {
  const { site } = siteAtUrl.visited
  const { changeRequest, revision } = resolved.preview
  const visitor = {
    organization: site.organizationId,
    site: site.id,
    version: site.version,
    since: site.changedAt.getTime(),
    spaces: [...new Set(structure.siteSpaces.map(({ spaceId }) => spaceId))],
    claims,
    ...(siteAtUrl.visited.showsGit && { showsGit: true }),
    ...(site.agentsContext === 'excluded' && { excludesAgents: true }),
    ...(siteAtUrl.sitePreview && { previews: true }),
    ...(siteAtUrl.sitePreview?.showsDrafts && { showsDrafts: true }),
    ...(siteAtUrl.sitePreview?.member !== undefined && { member: siteAtUrl.sitePreview.member }),
    ...(changeRequest !== undefined && { changeRequest }),
    ...(revision !== undefined && { revision }),
  }
  const now = Date.now()
  const key = JSON.stringify([visitor, place, Math.floor(now / visitorTokenWindow)])
  const token = tokens.get(key) ?? signVisitorToken({ visitor, place, now }, visitorTokenKeys(secret))
  tokens.set(key, token)
  return token
}
