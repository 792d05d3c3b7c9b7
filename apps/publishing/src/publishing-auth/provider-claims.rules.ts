/** The claims of visitors, or why a sign-in with those of the provider is refused, in words for the visitor. */
export type ProviderClaims = { claims: Record<string, unknown> } | { refusal: string }

/** Claims of OpenID Connect that visitors have where a site maps none. */
const standardClaims = ['sub', 'email', 'email_verified', 'name', 'groups']
/** Characters of all claims together, as JSON: they become part of a token, which has to fit into a header. */
const maxLength = 3_000
/** Levels of a value. */
const maxDepth = 5

/**
 * The claims that visitors of a site get from those of its provider. What the provider does not say is left out. Claims that are too large
 * are refused as a whole: a condition must not hold because a part of them is missing.
 */
export function providerClaims(
  claims: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>> | null,
): ProviderClaims {
  const paths = mapping ?? Object.fromEntries(standardClaims.map(name => [name, name]))
  const entries = Object.entries(paths).flatMap(([name, path]): [string, unknown][] => {
    const value = mapping ? claimAt(claims, path) : ownValue(claims, path)
    return value === undefined || value === null ? [] : [[name, value]]
  })
  if (entries.some(([, value]) => depthOf(value) > maxDepth))
    return { refusal: 'The claims of this login have more levels than a site takes' }
  const mapped = Object.fromEntries(entries)
  if (JSON.stringify(mapped).length > maxLength)
    return { refusal: 'The claims of this login are larger than a site takes' }
  return { claims: mapped }
}

/**
 * The claim at a path: a name, or names that lead into objects, joined by dots. A name with dots comes before the names that it could be
 * made of, the longest first.
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  const whole = ownValue(claims, path)
  if (whole !== undefined) return whole
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) {
    const below = ownValue(claims, path.slice(0, at))
    const value = isObject(below) ? claimAt(below, path.slice(at + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The levels of a value, counted no deeper than they may be. */
function depthOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level > maxDepth) return level
  return Math.max(level + 1, ...Object.values(value).map(below => depthOf(below, level + 1)))
}
