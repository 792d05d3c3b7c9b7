import { createHmac } from 'node:crypto'
import { replySchemas } from '@recto/testing'
import { expect } from '@jest/globals'

const schemas = replySchemas()
/** Segments of a path that the reader looks up in parallel, besides the host alone. */
const longestPrefix = 4
/** Seconds before the end of a token in which the reader refuses to show a page. */
const leastLifetime = 120

/** The result of looking up a site. */
export interface Found {
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
  | { status: 200; found: Found; page: { id: string; title: string; path: string }; document: unknown }
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
    if (!('found' in looked)) return looked
    const { found } = looked
    const { structure } = (await this.#read('getPublishedContentSite', found, siteOf(found), shareOf(found))) as {
      structure: { type: string; structure: { id: string; siteSpaces?: { id: string }[] }[] }
    }
    requireShown(structure, found)
    const space = (await this.#read('getSpaceById', found, `/spaces/${found.space}`, shareOf(found))) as Space
    expect(space.urls.app).toMatch(/^https?:/)
    const revision = await this.#revisionOf(found, space)
    if (revision === undefined) return notFound
    const { pages } = (await this.#read('getRevisionById', found, this.#revisionPath(found, revision), {
      metadata: 'true',
    })) as { pages: TreePage[] }
    return this.#page(found, { revision, pages })
  }

  /** Looks an address up by all its prefixes at once; the longest one decides unless a shorter one is complete. */
  async lookUp(url: string, visit: Visit = {}): Promise<{ found: Found } | Exclude<Shown, { status: 200 }>> {
    const { origin, pathname } = new URL(url)
    const parts = pathname.split('/').filter(Boolean)
    const most = Math.min(parts.length, longestPrefix)
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
    return { found: withRest(winner.data, parts) }
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

  async #revisionOf(found: Found, space: Space): Promise<string | undefined> {
    if (found.revision !== undefined) return found.revision
    if (found.changeRequest === undefined) return space.revision
    const path = `/spaces/${found.space}/change-requests/${found.changeRequest}`
    const reply = await this.send('getChangeRequestById', found, path)
    return reply.status === 200 ? (reply.data as Space).revision : undefined
  }

  #revisionPath({ space }: Found, revision: string): string {
    return `/spaces/${space}/revisions/${revision}`
  }

  async #page(found: Found, { revision, pages }: { revision: string; pages: TreePage[] }): Promise<Shown> {
    const wanted = decodeURIComponent(found.pathname).replace(/^\/|\/$/g, '')
    const all = flat(pages)
    const page = wanted === '' ? all.find(({ type }) => type === 'document') : all.find(({ path }) => path === wanted)
    if (!page) return this.#elsewhere(found, { revision, wanted })
    if (page.type === 'group') return movedTo(found, flat(page.pages ?? [])[0]?.path ?? '')
    expect(page.layout).toBeDefined()
    const path = `${this.#revisionPath(found, revision)}/page/${page.id}/document`
    const document = await this.#read('getPageDocumentInRevisionById', found, path, evaluated)
    return { status: 200, found, page, document }
  }

  async #elsewhere(found: Found, { revision, wanted }: { revision: string; wanted: string }): Promise<Shown> {
    const source = `${siteBelow(found)}/${wanted}`
    const redirect = await this.send('getSiteRedirectBySource', found, `${siteOf(found, '')}/redirect`, {
      source,
      ...shareOf(found),
    })
    if (redirect.status === 200) return { status: 307, location: (redirect.data as { target: string }).target }
    const path = `${this.#revisionPath(found, revision)}/path/${encodeURIComponent(wanted)}`
    const reply = await this.send('getPageInRevisionByPath', found, path)
    return reply.status === 200 ? movedTo(found, (reply.data as TreePage).path) : notFound
  }

  /** Reads with the token of a lookup; what is read once with a token is kept, as in the cache of the reader. */
  async #read(operation: string, found: Found, path: string, query: Record<string, string> = {}): Promise<unknown> {
    const key = JSON.stringify([operation, path, query, found.apiToken])
    const reply = this.#pages.get(key) ?? (await this.send(operation, found, path, query))
    expect({ operation, status: reply.status }).toEqual({ operation, status: 200 })
    this.#pages.set(key, reply)
    return reply.data
  }

  /** Sends one read with the token of a lookup, and checks a reply of 200 against the published specification. */
  async send(operation: string, found: Found, path: string, query: Record<string, string> = {}): Promise<Reply> {
    const search = new URLSearchParams(query).toString()
    return this.#send(operation, found, `${path}${search && `?${search}`}`)
  }

  /** Sends a search as the page of the reader does. */
  async search(found: Found, body: object): Promise<Reply> {
    return this.#send('searchSiteContent', found, `${siteOf(found, '')}/search`, body)
  }

  async #send(operation: string, { apiToken }: Found, path: string, body?: object): Promise<Reply> {
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
function withRest(found: Found, parts: string[]): Found {
  const { exp } = payloadOf(found.apiToken)
  expect((exp ?? Infinity) - Date.now() / 1000).toBeGreaterThan(leastLifetime)
  const used = found.basePath.split('/').filter(Boolean).length
  return { ...found, pathname: `/${parts.slice(used).join('/')}` }
}

/** The reader fails when the structure lacks what the lookup named. */
function requireShown(
  { type, structure }: { type: string; structure: { id: string; siteSpaces?: { id: string }[] }[] },
  { siteSpace, siteSection }: Found,
): void {
  const shown = JSON.stringify(structure)
  expect(shown).toContain(`"id":"${siteSpace}"`)
  if (type === 'sections') expect(shown).toContain(`"id":"${siteSection}"`)
}

/** The path of the published site, or of its API without what follows. */
export function siteOf({ organization, site }: Found, rest = '/published'): string {
  return `/orgs/${organization}/sites/${site}${rest}`
}

function shareOf({ shareKey }: Found): Record<string, string> {
  return shareKey === undefined ? {} : { shareKey }
}

/** The path of the space below the site. */
function siteBelow({ basePath, siteBasePath }: Found): string {
  return `/${basePath.slice(siteBasePath.length)}`.replace(/\/$/, '')
}

function movedTo({ basePath }: Found, path: string): Shown {
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
