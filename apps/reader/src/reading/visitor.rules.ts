/** What a visitor brings to a site, in the form of a lookup. */
export interface Visitor {
  jwtToken?: string
  unsignedClaims: Record<string, unknown>
  /** The token of a preview. */
  previewToken?: string
  /** Where the request came from. */
  address?: string | undefined
  /** What the program calls itself that the visitor reads with. */
  userAgent?: string | undefined
}

/** Names of the cookies of visitors. */
export const visitorCookies = { token: 'recto-visitor', claims: 'recto-claims', preview: 'recto-preview' } as const

/** Characters of a token: browsers keep 4,096 of a cookie, with its name. */
const maxToken = 4_000
/** Characters of claims without proof, as JSON: a cookie has room for 4,096. */
const maxClaims = 2_000
const claimName = /^visitor\.([A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){0,4})$/
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** What the query of a URL says of the visitor, and the query without it. */
export interface Introduction {
  token?: string
  claims: Record<string, unknown>
  /** The query that is left. */
  rest: string
  isOne: boolean
  /** There is a token that no cookie has room for. */
  isTooLong?: true
}

/** Reads the query with which a login server, a link or a preview sends a visitor: `jwt_token`, `visitor.<claim>`, and `token` of a preview. */
export function readIntroduction(query: string, isPreview: boolean): Introduction {
  const rest = new URLSearchParams(query)
  const tokenName = isPreview ? 'token' : 'jwt_token'
  const token = rest.get(tokenName) ?? undefined
  rest.delete(tokenName)
  const claims: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const path = claimName.exec(name)?.[1]?.split('.')
    if (!path) continue
    rest.delete(name)
    if (path.some(part => forbidden.has(part))) continue
    setClaim(claims, path, valueOf(value))
  }
  const isOne = token !== undefined || Object.keys(claims).length > 0
  const isTooLong = token !== undefined && encodeURIComponent(token).length > maxToken
  const known = isTooLong ? { isTooLong } : token === undefined ? {} : { token }
  return { ...known, claims, rest: rest.toString(), isOne }
}

function setClaim(claims: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = claims
  for (const part of path.slice(0, -1)) {
    const below = at[part]
    at = at[part] = typeof below === 'object' && below !== null ? (below as Record<string, unknown>) : {}
  }
  at[path.at(-1) ?? ''] = value
}

/** Claims in a URL are booleans where they look like it. */
function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text
}

/** What the cookies of a request say of its visitor; what cannot be read is as if it were not there. */
export function visitorOf(cookies: Readonly<Record<string, string>>): Visitor {
  const jwtToken = cookies[visitorCookies.token]
  const previewToken = cookies[visitorCookies.preview]
  return {
    unsignedClaims: parseClaims(cookies[visitorCookies.claims]),
    ...(jwtToken !== undefined && jwtToken.length <= maxToken && { jwtToken }),
    ...(previewToken !== undefined && previewToken.length <= maxToken && { previewToken }),
  }
}

/** Claims as the value of a cookie; undefined for more than a cookie has room for. */
export function writeClaims(claims: Record<string, unknown>): string | undefined {
  const text = JSON.stringify(claims)
  return text.length > maxClaims ? undefined : Buffer.from(text).toString('base64url')
}

function parseClaims(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? { ...claims } : {}
  } catch {
    return {}
  }
}

/** The cookies of a request, by name; the first of a name counts, as the most specific path comes first. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals > 0 && !Object.hasOwn(cookies, name) && !forbidden.has(name))
      cookies[name] = decoded(part.slice(equals + 1).trim())
  }
  return cookies
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
