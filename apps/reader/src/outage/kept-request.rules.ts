import { createHash } from 'node:crypto'
import type { ApiRequest } from '../api/api-client.ts'
import type { Lookup, SiteLookup } from '../api/types.ts'

/**
 * How a reply is kept: that of a site and of a space as they are now, parts that never change at one version of the site, others that may
 * change, and where old addresses lead.
 */
export type KeptKind = 'site' | 'space' | 'part' | 'changing' | 'redirect'

const shapes: readonly (readonly [KeptKind, RegExp])[] = [
  ['site', /^\/orgs\/[^/]+\/sites\/[^/]+\/published$/],
  ['redirect', /^\/orgs\/[^/]+\/sites\/[^/]+\/redirect$/],
  ['space', /^\/spaces\/[^/]+$/],
  ['part', /^\/spaces\/[^/]+\/revisions\/[^/]+(?:\/(?:page|reusable-contents)\/.+)?$/],
  ['part', /^\/spaces\/[^/]+\/embed$/],
  ['changing', /^\/orgs\/[^/]+\/openapi\/[^/]+\/versions\/[^/]+\/content$/],
]

/** How the reply to a request is kept; undefined for one that is not. Searches and questions are as many as visitors think of. */
export function kindOf({ method = 'GET', path }: Pick<ApiRequest, 'method' | 'path'>): KeptKind | undefined {
  return method === 'GET' ? shapes.find(([, shape]) => shape.test(path))?.[0] : undefined
}

/** The name of a reply on disk: never with the token. A redirect is the same whatever the query of the visitor. */
export function keyOf({ path, query = {} }: Pick<ApiRequest, 'path' | 'query'>): string {
  const names = Object.keys(query)
    .filter(name => !(name === 'query' && path.endsWith('/redirect')))
    .sort()
  return JSON.stringify([path, names.map(name => [name, query[name]])])
}

/** The key of the last revision of a space of which everything was read. */
export function completeKey(key: string): string {
  return `complete ${key}`
}

/** A lookup, and whether nothing of who asks went into it. */
export interface LookupRequest {
  url: string
  isAnonymous: boolean
}

/** The lookup that a request is; undefined for any other. */
export function lookupIn({ method, path, body, token }: ApiRequest): LookupRequest | undefined {
  if (method !== 'POST' || path !== '/urls/published') return undefined
  const { url, visitor = {} } = body as {
    url: string
    visitor?: { jwtToken?: string; unsignedClaims?: Record<string, unknown> }
  }
  const { jwtToken, unsignedClaims = {} } = visitor
  const isAnonymous = token === undefined && jwtToken === undefined && Object.keys(unsignedClaims).length === 0
  return { url, isAnonymous }
}

/** The request of a lookup by nobody in particular. */
export function anonymousLookup(url: string): ApiRequest {
  const body = { url, visitor: { unsignedClaims: {} }, redirectOnError: false }
  return { method: 'POST', path: '/urls/published', body }
}

/** The site that everybody may read at an address, by the reply to an anonymous lookup; undefined for what is a preview, or not for everybody. */
export function openLookup(lookup: Lookup): SiteLookup | undefined {
  if ('redirect' in lookup) return undefined
  const { shareKey, preview, changeRequest, revision, pullRequest } = lookup
  const isOpen = [shareKey, changeRequest, revision, pullRequest].every(each => each === undefined) && preview !== true
  return isOpen ? lookup : undefined
}

/** Where the site of a lookup begins, in the form that sites are found by. */
export function rootOf(url: string, { siteBasePath }: Pick<SiteLookup, 'siteBasePath'>): string {
  return `${new URL(url).origin}${siteBasePath}`.toLowerCase()
}

/** The version of a site that a token was issued for. The API verifies tokens; what is kept only tells its versions apart. */
export function versionOf(token: string): string {
  const payload = token.split('.')[1] ?? ''
  try {
    const { version } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { version?: unknown }
    if (typeof version === 'number') return String(version)
  } catch {
    // Another API may issue others: each is a version of its own.
  }
  return createHash('sha256').update(token).digest('base64url')
}
