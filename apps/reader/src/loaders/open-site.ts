import { decodeUriComponent } from '@recto/text'
import { ApiFailure } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { SiteLookup, Lookup, PublishedSite, Revision, SiteSpace, Space } from '../api/types.ts'
import type { RequestAddress } from '../addresses/request-address.rules.ts'
import { siteLinks, siteSpacesOf, type SiteLinks } from '../addresses/site-links.rules.ts'
import { isAIAgent } from '../ai-agents/ai-agents.rules.ts'
import { pageTree, type PageTree, withHome } from './page-tree.rules.ts'
import type { Visitor } from './visitor.rules.ts'

/** A site that a visitor opened, at one of its spaces. */
export interface OpenedSite {
  lookup: SiteLookup
  published: PublishedSite
  siteSpace: SiteSpace
  space: Space
  revision: Revision
  tree: PageTree
  links: SiteLinks
  /** The decoded path in the space, without slashes at its ends. */
  path: string
  /** The claims of the visitor. */
  claims: Record<string, unknown>
  isPreview: boolean
}

/** The result of opening an address: a site, or where the visitor has to log in. */
export type Opened = { login: string } | { site: OpenedSite }

/** The refusal of AI agents by a site that excludes them, at every address but `robots.txt`, which says so. */
export class AgentExcluded extends ApiFailure {
  constructor() {
    super(403, 'This site excludes AI agents.')
  }
}

/** The refusal of what the visitor came with, a preview's token for one: looked up again, it is refused again. */
export class LookupRefused extends ApiFailure {
  constructor(cause: ApiFailure) {
    super(cause.status, cause.message, { cause })
  }
}

/** Whether a site excludes AI agents. */
export function excludesAgents({ published }: Pick<OpenedSite, 'published'>): boolean {
  return published.site.agentsContext === 'excluded'
}

/** Whether a site was opened as it is published: no preview, no change request, no other revision. */
export function isPublished({ isPreview, lookup }: Pick<OpenedSite, 'isPreview' | 'lookup'>): boolean {
  return !isPreview && lookup.changeRequest === undefined && lookup.revision === undefined
}

/** The space of a site by its id; of the places that show it the open one comes first. */
export function siteSpaceOf(
  id: string,
  { published, siteSpace }: Pick<OpenedSite, 'published' | 'siteSpace'>,
): SiteSpace | undefined {
  return siteSpace.space.id === id ? siteSpace : siteSpacesOf(published).find(({ space }) => space.id === id)
}

interface Opening {
  reads: Pick<Reads, 'fresh' | 'immutable'>
  visitor: Visitor
  /** Whether the visitor comes with a token that no cookie has yet. */
  isNewToken?: boolean
  /** Looks the address up again, although the last lookup is fresh. */
  renew?: boolean
}

/** Opens the site at an address; throws an `ApiFailure` with what to say to the visitor. */
export async function openSite(
  { site: origin, path, mountPath, isPreview }: RequestAddress,
  { reads, visitor, isNewToken = false, renew = false }: Opening,
): Promise<Opened> {
  const { unsignedClaims, jwtToken, previewToken, address } = visitor
  const request = {
    method: 'POST' as const,
    path: '/urls/published',
    body: {
      url: `${origin}${path}`,
      visitor: { unsignedClaims, ...(jwtToken !== undefined && { jwtToken }) },
      redirectOnError: jwtToken !== undefined && !isNewToken,
    },
    ...(isPreview && previewToken !== undefined && { token: previewToken }),
    visitorAddress: address,
  }
  const markOf = jwtToken === undefined && !isPreview ? markOfLookup : undefined
  const looked = await reads.fresh<Lookup>(request, { renew, ...(markOf && { markOf }) }).catch((error: unknown) => {
    throw error instanceof ApiFailure && error.status === 401 ? new LookupRefused(error) : error
  })
  if ('redirect' in looked) return { login: looked.redirect }
  const { site, space } = await readSite(looked, reads)
  const pathInSpace = decodePath(looked.pathname)
  if (excludesAgents({ published: site }) && pathInSpace !== 'robots.txt' && isAIAgent(visitor.userAgent))
    throw new AgentExcluded()
  const siteSpace = siteSpacesOf(site).find(({ id }) => id === looked.siteSpace)
  if (!siteSpace) throw new ApiFailure(404, 'This site shows nothing yet')
  const revision = await readRevision(looked, { space, reads })
  const tree = withHome(pageTree(revision), siteSpace.pageId)
  return {
    site: {
      lookup: looked,
      published: site,
      siteSpace,
      space,
      revision,
      isPreview,
      tree,
      links: siteLinks(site, { lookup: looked, mountPath, isPreview, homePath: tree.home?.page.path }),
      path: pathInSpace,
      claims: claimsOf(looked),
    },
  }
}

/**
 * The mark of a lookup of who has no login: its token, which is of one version of the site, one of its spaces and what the visitor sees. So
 * another address that gets the same token confirms where this one led (decision 0095). What is kept for an outage confirms nothing.
 */
function markOfLookup(lookup: Lookup): string | undefined {
  if ('redirect' in lookup) return undefined
  const { changeRequest, revision, keptSince, apiToken }: SiteLookup = lookup
  return (changeRequest ?? revision ?? keptSince) ? undefined : apiToken
}

async function readSite(
  { organization, site, space, shareKey, apiToken: token }: SiteLookup,
  reads: Pick<Reads, 'fresh' | 'immutable'>,
): Promise<{ site: PublishedSite; space: Space }> {
  const query = shareKey === undefined ? {} : { shareKey }
  const [published, visibleSpace] = await Promise.all([
    reads.fresh<PublishedSite>({ path: `/orgs/${organization}/sites/${site}/published`, query, token }),
    reads.fresh<Space>({ path: `/spaces/${space}`, query, token }),
  ])
  return { site: published, space: visibleSpace }
}

async function readRevision(
  lookup: SiteLookup,
  { space, reads }: { space: Space; reads: Pick<Reads, 'fresh' | 'immutable'> },
): Promise<Revision> {
  const { apiToken: token } = lookup
  const id = lookup.revision ?? (await revisionOfChangeRequest(lookup, reads)) ?? space.revision
  return reads.immutable<Revision>({ path: `/spaces/${space.id}/revisions/${id}`, query: { metadata: 'true' }, token })
}

async function revisionOfChangeRequest(
  { changeRequest, space, apiToken: token }: SiteLookup,
  reads: Pick<Reads, 'fresh' | 'immutable'>,
): Promise<string | undefined> {
  if (changeRequest === undefined) return undefined
  const { revision } = await reads.fresh<{ revision: string }>({
    path: `/spaces/${space}/change-requests/${changeRequest}`,
    token,
  })
  return revision
}

const claims = new WeakMap<SiteLookup, Record<string, unknown>>()

/** The claims of whoever looked a site up; those of the same lookup are the same object. */
function claimsOf(lookup: SiteLookup): Record<string, unknown> {
  const knownClaims = claims.get(lookup) ?? claimsIn(lookup.apiToken)
  claims.set(lookup, knownClaims)
  return knownClaims
}

/** The claims of a visitor, as their token says them. The API verifies the token; the reader only shows what it let through. */
function claimsIn(token: string): Record<string, unknown> {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    claims?: Record<string, unknown>
  }
  return payload.claims ?? {}
}

function decodePath(path: string): string {
  const parts = path.split('/').filter(Boolean)
  return parts.map(part => decodeUriComponent(part) ?? part).join('/')
}
