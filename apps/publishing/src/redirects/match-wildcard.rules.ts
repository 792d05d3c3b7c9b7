import { decodePart } from '../addresses/decode-part.ts'

/** A redirect whose wildcard stands for a path, and the decoded parts that it stands for. */
export interface WildcardMatch<Redirect> {
  redirect: Redirect
  suffix: string[]
}

/**
 * Finds the redirect whose source is a wildcard for a path, given in decoded parts: the longest one, in the spelling of the path or else in
 * lower case. `/a/*` stands for `/a` and everything below it, and `/a*` for every path that begins so.
 */
export function matchWildcard<Redirect extends { source: string }>(
  redirects: readonly Redirect[],
  parts: readonly string[],
): WildcardMatch<Redirect> | undefined {
  const lower = parts.map(part => part.toLowerCase())
  const longestFirst = redirects.toSorted((one, other) => other.source.length - one.source.length)
  const matches = longestFirst.flatMap(redirect => {
    const own = suffixOf(redirect.source, parts, parts)
    const suffix = own ?? suffixOf(redirect.source, lower, parts)
    return suffix ? [{ redirect, suffix, isOwnSpelling: own !== undefined }] : []
  })
  const length = matches[0]?.redirect.source.length
  const longest = matches.filter(({ redirect }) => redirect.source.length === length)
  const match = longest.find(({ isOwnSpelling }) => isOwnSpelling) ?? longest[0]
  return match && { redirect: match.redirect, suffix: match.suffix }
}

/** The parts of a path that the wildcard of a source stands for; `spelling` is the path as it is compared. */
function suffixOf(source: string, spelling: readonly string[], parts: readonly string[]): string[] | undefined {
  const prefix = source.slice(1, -1).split('/').map(decodePart)
  const begin = prefix.at(-1) ?? ''
  const at = prefix.length - 1
  const isBelow = prefix.slice(0, at).every((part, index) => part === spelling[index])
  // `/a/*` is compared with `/a` as if it were `/a/`.
  const first = spelling[at] ?? (spelling.length === at ? '' : undefined)
  if (!isBelow || first === undefined || !first.startsWith(begin)) return undefined
  const rest = [parts[at]?.slice(begin.length) ?? '', ...parts.slice(at + 1)]
  return rest[0] === '' ? rest.slice(1) : rest
}

/** Whether parts would lead out of the path that they are appended to (RFC 3986, section 5.2.4). */
export function hasDotSegment(parts: readonly string[]): boolean {
  return parts.some(part => part === '.' || part === '..')
}

/**
 * Adds the query of a visitor's address to that of a URL. What the URL has of the same name wins; all else is left as it was written. Both
 * are without `?`.
 */
export function withQuery(url: string, query: string): string {
  const target = new URL(url)
  const isFree = (parameter: string) =>
    [...new URLSearchParams(parameter).keys()].every(name => !target.searchParams.has(name))
  const added = query.split('&').filter(parameter => parameter !== '' && isFree(parameter))
  if (added.length > 0) target.search = [target.search.slice(1), ...added].filter(Boolean).join('&')
  return target.href
}

/** Appends decoded parts to the path of a URL, and encodes what a header cannot have; its query and fragment stay. */
export function appendToUrl(url: string, parts: readonly string[]): string {
  const target = new URL(url)
  const path = target.pathname.replace(/\/$/, '')
  if (parts.length > 0) target.pathname = [path, ...parts.map(encodeURIComponent)].join('/')
  return target.href
}
