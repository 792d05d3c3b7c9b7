/** Characters of all claims without proof together: they become part of a token, which has to fit into a header. */
const longestClaims = 2_048

interface ClaimSchema {
  type?: unknown
  enum?: unknown
  properties?: Record<string, ClaimSchema>
}

/**
 * The claims that a visitor makes without proof (query, cookies): only those that the adaptive schema of the site declares below
 * `unsigned`, with a value of the declared type. Everything else is left out, and all of them when they are too long: then somebody made
 * them up.
 */
export function unsignedClaims(
  given: Record<string, unknown> | undefined,
  schema: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const { properties = {} } = (schema as ClaimSchema | undefined)?.properties?.unsigned ?? {}
  const allowed = Object.entries(given ?? {}).filter(([name, value]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    return declared !== undefined && isOfType(value, declared)
  })
  const claims = Object.fromEntries(allowed)
  return JSON.stringify(claims).length > longestClaims ? {} : claims
}

function isOfType(value: unknown, { type, enum: values }: ClaimSchema): boolean {
  if (type === 'string' && Array.isArray(values)) return values.includes(value)
  return (type === 'boolean' || type === 'string' || type === 'number') && typeof value === type
}
