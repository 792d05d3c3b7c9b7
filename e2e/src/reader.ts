import { createHmac } from 'node:crypto'
import { replySchemas } from '@recto/testing'
import { expect } from '@jest/globals'

const schemas = replySchemas()
/** Segments of a path that the reader looks up in parallel, besides the host alone. */
const maxPrefixParts = 4
/** Seconds before the end of a token in which the reader refuses to show a page. */
const leastLifetime = 120

/** The result of looking up a site. */
export interface SiteLookup {
  organization: string
  site: string
  siteSpace: string
  siteSection?: string
  space: string
  changeRequest?: string
  revision?: string
  pathname: string
  basePath: string
  siteBasePath: string
  apiToken: string
  shareKey?: string
  complete: boolean
  contextId?: string
}

/** The credentials and claims of a visitor. */
export interface Visit {
  jwtToken?: string
  unsignedClaims?: Record<string, unknown>
  redirectOnError?: boolean
  /** The token of a preview, which the reader keeps in a cookie. */
  previewToken?: string
}

/** A page as the reader shows it, or what it shows instead. */
export type Shown =
  | { status: 200; lookup: SiteLookup; page: { id: string; title: string; path: string }; document: unknown }
  | { status: 307; location: string }
  | { status: number; message: string; contextId?: string }

interface Reply {
  status: number
  data: never
}

interface TreePage {
  id: string
  type: string
  title: string
  path: string
  layout?: unknown
  pages?: TreePage[]
}

/** A reader of published sites: it sends what the open-source reader was seen to send, and refuses what that one cannot show. */
export class Reader {
  /** The reads of the last visit, as `METHOD operation`. */
  requests: string[] = []
  readonly #api: string
  readonly #pages = new Map<string, Reply>()

  constructor(api: string) {
    this.#api = `${api}/v1`
  }

  /** Forgets what it keeps by token and revision. */
  forget(): void {
    this.#pages.clear()
  }

  /** Opens an address as a browser would that has no page of the site yet. */
  async open(url: string, visit: Visit = {}): Promise<Shown> {
    this.requests = []
    const looked = await this.lookUp(url, visit)
    if (!('lookup' in looked)) return looked
    const { lookup } = looked
    const { structure } = (await this.#read('getPublishedContentSite', lookup, siteOf(lookup), shareOf(lookup))) as {
      structure: { type: string; structure: { id: string; siteSpaces?: { id: string }[] }[] }
    }
    requireShown(structure, lookup)
    const space = (await this.#read('getSpaceById', lookup, `/spaces/${lookup.space}`, shareOf(lookup))) as Space
    expect(space.urls.app).toMatch(/^https?:/)
    const revision = await this.#revisionOf(lookup, space)
    if (revision === undefined) return notFound
    const { pages } = (await this.#read('getRevisionById', lookup, this.#revisionPath(lookup, revision), {
      metadata: 'true',
    })) as { pages: TreePage[] }
    return this.#page(lookup, { revision, pages })
  }

  /** Looks an address up by all its prefixes at once; the longest one decides unless a shorter one is complete. */
  async lookUp(url: string, visit: Visit = {}): Promise<{ lookup: SiteLookup } | Exclude<Shown, { status: 200 }>> {
    const { origin, pathname } = new URL(url)
    const parts = pathname.split('/').filter(Boolean)
    const most = Math.min(parts.length, maxPrefixParts)
    const lengths = cutOff(parts) ?? Array.from({ length: most + 1 }, (_, length) => length)
    const stop = new AbortController()
    const replies = lengths.map(length =>
      this.#lookUpPrefix([origin, ...parts.slice(0, length)].join('/'), visit, stop.signal),
    )
    const primary = replies.at(-1)
    const winner = await Promise.any([
      ...replies.slice(0, -1).map(async reply => requireComplete(await reply)),
      Promise.resolve(primary),
    ])
    stop.abort()
    await Promise.allSettled(replies)
    if (!winner) throw new Error('no lookup answered')
    if (winner.status !== 200) return refusalOf(winner)
    if ('redirect' in (winner.data as object)) return { status: 307, location: (winner.data as Redirect).redirect }
    return { lookup: withRest(winner.data, parts) }
  }

  async #lookUpPrefix(url: string, visit: Visit, signal: AbortSignal): Promise<Reply> {
    const { jwtToken, unsignedClaims = {}, redirectOnError = false, previewToken } = visit
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Next.js Middleware',
      ...(previewToken !== undefined && { authorization: `Bearer ${previewToken}` }),
    }
    const visitor = { ...(jwtToken !== undefined && { jwtToken }), unsignedClaims }
    const body = JSON.stringify({ url, visitor, redirectOnError })
    const reply = await fetch(`${this.#api}/urls/published`, { method: 'POST', headers, body, signal })
    const data = (await reply.json()) as never
    if (reply.status === 200) requireValid('resolvePublishedContentByUrl', reply.status, data)
    return { status: reply.status, data }
  }

  async #revisionOf(lookup: SiteLookup, space: Space): Promise<string | undefined> {
    if (lookup.revision !== undefined) return lookup.revision
    if (lookup.changeRequest === undefined) return space.revision
    const path = `/spaces/${lookup.space}/change-requests/${lookup.changeRequest}`
    const reply = await this.send('getChangeRequestById', lookup, path)
    return reply.status === 200 ? (reply.data as Space).revision : undefined
  }

  #revisionPath({ space }: SiteLookup, revision: string): string {
    return `/spaces/${space}/revisions/${revision}`
  }

  async #page(lookup: SiteLookup, { revision, pages }: { revision: string; pages: TreePage[] }): Promise<Shown> {
    const requestedPath = decodeURIComponent(lookup.pathname).replace(/^\/|\/$/g, '')
    const all = flat(pages)
    const page = all.find(({ type, path }) => (requestedPath === '' ? type === 'document' : path === requestedPath))
    if (!page) return this.#elsewhere(lookup, { revision, requestedPath })
    if (page.type === 'group') return movedTo(lookup, flat(page.pages ?? [])[0]?.path ?? '')
    expect(page.layout).toBeDefined()
    const path = `${this.#revisionPath(lookup, revision)}/page/${page.id}/document`
    const document = await this.#read('getPageDocumentInRevisionById', lookup, path, evaluated)
    return { status: 200, lookup, page, document }
  }

  async #elsewhere(
    lookup: SiteLookup,
    { revision, requestedPath }: { revision: string; requestedPath: string },
  ): Promise<Shown> {
    const source = `${siteBelow(lookup)}/${requestedPath}`
    const redirect = await this.send('getSiteRedirectBySource', lookup, `${siteOf(lookup, '')}/redirect`, {
      source,
      ...shareOf(lookup),
    })
    if (redirect.status === 200) return { status: 307, location: (redirect.data as { target: string }).target }
    const path = `${this.#revisionPath(lookup, revision)}/path/${encodeURIComponent(requestedPath)}`
    const reply = await this.send('getPageInRevisionByPath', lookup, path)
    return reply.status === 200 ? movedTo(lookup, (reply.data as TreePage).path) : notFound
  }

  /** Reads with the token of a lookup; what is read once with a token is kept, as in the cache of the reader. */
  async #read(
    operation: string,
    lookup: SiteLookup,
    path: string,
    query: Record<string, string> = {},
  ): Promise<unknown> {
    const key = JSON.stringify([operation, path, query, lookup.apiToken])
    const reply = this.#pages.get(key) ?? (await this.send(operation, lookup, path, query))
    expect({ operation, status: reply.status }).toEqual({ operation, status: 200 })
    this.#pages.set(key, reply)
    return reply.data
  }

  /** Sends one read with the token of a lookup, and checks a reply of 200 against the published specification. */
  async send(operation: string, lookup: SiteLookup, path: string, query: Record<string, string> = {}): Promise<Reply> {
    const search = new URLSearchParams(query).toString()
    return this.#send(operation, lookup, `${path}${search && `?${search}`}`)
  }

  /** Sends a search as the page of the reader does. */
  async search(lookup: SiteLookup, body: object): Promise<Reply> {
    return this.#send('searchSiteContent', lookup, `${siteOf(lookup, '')}/search`, body)
  }

  async #send(operation: string, { apiToken }: SiteLookup, path: string, body?: object): Promise<Reply> {
    this.requests.push(operation)
    const reply = await fetch(`${this.#api}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${apiToken}`,
        'user-agent': 'GitBook-Open/2.0.0',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const data = (await reply.json()) as never
    if (reply.status === 200) requireValid(operation, reply.status, data)
    return { status: reply.status, data }
  }
}

interface Redirect {
  redirect: string
}

interface Space {
  revision: string
  urls: { app: string }
}

/** How the reader asks for documents. */
export const evaluated = { evaluated: 'deterministic-only' }

const notFound = { status: 404, message: 'Page not found' }

function requireValid(operation: string, status: number, data: unknown): void {
  expect({ operation, faults: schemas.validateReply(operation, status, data) }).toEqual({ operation, faults: [] })
}

function requireComplete(reply: Reply): Reply {
  if (reply.status === 200 && (reply.data as { complete?: boolean }).complete) return reply
  throw new Error('a longer prefix decides')
}

function refusalOf({ status, data }: Reply): Exclude<Shown, { status: 200 }> {
  const { error } = data as { error: { message: string } }
  return { status, message: error.message }
}

/** Of an address of a variant or preview, only what names it is looked up. */
function cutOff(parts: string[]): [number] | undefined {
  const preview = parts.indexOf('~')
  const variant = parts.indexOf('v')
  if (preview !== -1) return [preview + 3]
  return variant === -1 ? undefined : [variant + 2]
}

/** The payload of a token; the reader decodes it without verifying it. */
export function payloadOf(token: string): { exp?: number; claims?: unknown; kind?: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: number }
}

/** The lookup of a prefix says where it leads; the rest of the path is the reader's. */
function withRest(lookup: SiteLookup, parts: string[]): SiteLookup {
  const { exp } = payloadOf(lookup.apiToken)
  expect((exp ?? Infinity) - Date.now() / 1000).toBeGreaterThan(leastLifetime)
  const used = lookup.basePath.split('/').filter(Boolean).length
  return { ...lookup, pathname: `/${parts.slice(used).join('/')}` }
}

/** The reader fails when the structure lacks what the lookup named. */
function requireShown(
  { type, structure }: { type: string; structure: { id: string; siteSpaces?: { id: string }[] }[] },
  { siteSpace, siteSection }: SiteLookup,
): void {
  const text = JSON.stringify(structure)
  expect(text).toContain(`"id":"${siteSpace}"`)
  if (type === 'sections') expect(text).toContain(`"id":"${siteSection}"`)
}

/** The path of the published site, or of its API without what follows. */
export function siteOf({ organization, site }: SiteLookup, rest = '/published'): string {
  return `/orgs/${organization}/sites/${site}${rest}`
}

function shareOf({ shareKey }: SiteLookup): Record<string, string> {
  return shareKey === undefined ? {} : { shareKey }
}

/** The path of the space below the site. */
function siteBelow({ basePath, siteBasePath }: SiteLookup): string {
  return `/${basePath.slice(siteBasePath.length)}`.replace(/\/$/, '')
}

function movedTo({ basePath }: SiteLookup, path: string): Shown {
  return { status: 307, location: `${basePath}${path}` }
}

function flat(pages: TreePage[]): TreePage[] {
  return pages.flatMap(page => [page, ...flat(page.pages ?? [])])
}

/** A token that a login server signs for a visitor: HS256 (RFC 7515). */
export function visitorJwt(key: string, claims: object, seconds = 3600): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + seconds
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, exp })}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
