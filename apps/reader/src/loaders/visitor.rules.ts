import { visitorSessionPrefix } from '@recto/contracts-publishing'

/** The credentials and claims of a visitor, in the form of a lookup. */
export interface Visitor {
  jwtToken?: string
  unsignedClaims: Record<string, unknown>
  /** The token of a preview. */
  previewToken?: string
  /** Where the request came from. */
  address?: string | undefined
  /** Name of the program that the visitor reads with, by its own account. */
  userAgent?: string | undefined
}

/** Names of the cookies of visitors. */
export const visitorCookies = { token: 'recto-visitor', claims: 'recto-claims', preview: 'recto-preview' } as const

/** Characters of a token: browsers keep 4,096 of a cookie, with its name. */
const maxToken = 4_000
/** Characters of claims without proof, as JSON: a cookie has room for 4,096. */
const maxClaims = 2_000
/** Levels of a claim, and characters of the name of each, as an adaptive schema may declare them. */
const maxLevels = 5
const claimPart = /^[^\p{Cc}\p{Cs}]{1,64}$/u
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** The credentials and claims in the query of a URL, and the query without them. */
export interface VisitorParams {
  token?: string
  claims: Record<string, unknown>
  /** The query that is left. */
  rest: string
  isOne: boolean
  /** There is a token that no cookie has room for. */
  isTooLong?: true
}

/**
 * Reads the query with which a login server, a link or a preview sends a visitor: `jwt_token`, `visitor.<claim>`, `visitor`, and `token` of
 * a preview. Dots lead into objects; a name that comes more than once has several values. `visitor` is a JSON object of claims, for names
 * with a dot. What claims without proof count as is for the site to say, which declares them. An empty token is none, and so is that of a
 * session, which somebody else could have begun (`isLinkable`).
 */
export function readIntroduction(query: string, isPreview: boolean): VisitorParams {
  const rest = new URLSearchParams(query)
  const tokenName = isPreview ? 'token' : 'jwt_token'
  const sentToken = rest.get(tokenName) ?? undefined
  const token = sentToken !== undefined && isLinkable(sentToken) ? sentToken : undefined
  rest.delete(tokenName)
  const claims: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const entries = name === 'visitor' ? entriesIn(value) : entryOf(name, value)
    if (!entries) continue
    rest.delete(name)
    for (const [path, claim] of entries) if (!path.some(part => forbidden.has(part))) setClaim(claims, path, claim)
  }
  const isOne = sentToken !== undefined || Object.keys(claims).length > 0
  const isTooLong = token !== undefined && encodeURIComponent(token).length > maxToken
  const tokenFields = isTooLong ? { isTooLong } : token === undefined ? {} : { token }
  return { ...tokenFields, claims, rest: rest.toString(), isOne }
}

/** Whether a link may bring a token: the session of a sign-in comes by the cookie alone that its end has set in this browser. */
function isLinkable(token: string): boolean {
  return token !== '' && !token.startsWith(visitorSessionPrefix)
}

/** The names that lead to a claim, and its value. */
type ClaimEntry = [path: string[], value: unknown]

/** The claim that a parameter `visitor.<claim>` has; undefined for any other parameter. */
function entryOf(name: string, value: string): ClaimEntry[] | undefined {
  const path = name.startsWith('visitor.') ? name.slice('visitor.'.length).split('.') : []
  const isClaim = path.length > 0 && path.length <= maxLevels && path.every(part => claimPart.test(part))
  return isClaim ? [[path, valueOf(value)]] : undefined
}

/** The claims that a JSON object has; undefined for text that is none. */
function entriesIn(text: string): ClaimEntry[] | undefined {
  const claims = parseObject(text)
  return claims && Object.entries(claims).map(([name, value]) => [[name], value])
}

function setClaim(claims: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = claims
  for (const part of path.slice(0, -1)) {
    const below = ownValue(at, part)
    at = at[part] = isObject(below) ? below : {}
  }
  const name = path.at(-1) ?? ''
  const before = ownValue(at, name)
  at[name] = before === undefined || isObject(before) || isObject(value) ? value : [before, value].flat()
}

function ownValue(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Claims in a URL are booleans where they look like it. */
function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text
}

/** Reads the visitor from the cookies of a request; unreadable cookies are ignored. */
export function visitorOf(cookies: Readonly<Record<string, string | undefined>>): Visitor {
  const jwtToken = cookies[visitorCookies.token]
  const previewToken = cookies[visitorCookies.preview]
  return {
    unsignedClaims: parseClaims(cookies[visitorCookies.claims]),
    ...(jwtToken !== undefined && jwtToken.length <= maxToken && isLinkable(jwtToken) && { jwtToken }),
    ...(previewToken !== undefined && previewToken.length <= maxToken && { previewToken }),
  }
}

/** Claims as the value of a cookie; undefined for more than a cookie has room for. */
export function writeClaims(claims: Record<string, unknown>): string | undefined {
  const text = JSON.stringify(claims)
  return text.length > maxClaims ? undefined : Buffer.from(text).toString('base64url')
}

function parseClaims(text: string | undefined): Record<string, unknown> {
  return (text !== undefined && parseObject(Buffer.from(text, 'base64url').toString())) || {}
}

/** A JSON object; undefined for text that is none. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
