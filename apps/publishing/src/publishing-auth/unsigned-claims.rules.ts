/** Characters of all claims without proof together: they become part of a token, which has to fit into a header. */
const maxClaimsLength = 2_048
/** A number as JSON writes it. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

interface ClaimSchema {
  type?: unknown
  enum?: unknown
  items?: ClaimSchema
  properties?: Record<string, ClaimSchema>
}

/**
 * The claims that a visitor makes without proof (query, cookies): only what the adaptive schema of the site declares below `unsigned`, at
 * any depth, with a value of the declared type. Everything else is left out, and all of them when they are too long: then somebody made
 * them up. What comes from a URL is text, so text counts as what the schema declares:
 *
 * | declared | counts                                                                                          |
 * | -------- | ----------------------------------------------------------------------------------------------- |
 * | string   | text, a number or boolean as it is written; with an enumeration only its values                 |
 * | number   | a number, or text that is one in JSON                                                           |
 * | boolean  | a boolean, `true` or `false`                                                                    |
 * | array    | those of several values that are of its items; text is one of them, a JSON array, or values by commas |
 * | object   | its declared fields; text is a JSON object                                                      |
 *
 * Of several values for what is no array, the last one counts.
 */
export function unsignedClaims(
  fields: Record<string, unknown> | undefined,
  schema: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const { properties = {} } = (schema as ClaimSchema | undefined)?.properties?.unsigned ?? {}
  const claims = readFields(fields ?? {}, properties)
  return JSON.stringify(claims).length > maxClaimsLength ? {} : claims
}

/** The value that a claim has by its schema; undefined for one that it cannot have. */
function readClaim(value: unknown, schema: ClaimSchema): unknown {
  if (schema.type === 'array') return readArray(value, schema.items ?? {})
  const last = Array.isArray(value) ? value.at(-1) : value
  if (schema.type === 'object') return readObject(last, schema.properties ?? {})
  if (schema.type === 'string') return readString(last, schema.enum)
  if (schema.type === 'number') return readNumber(last)
  return schema.type === 'boolean' ? readBoolean(last) : undefined
}

function readString(value: unknown, values: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const text = String(value)
  return !Array.isArray(values) || values.includes(text) ? text : undefined
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && numberText.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function readBoolean(value: unknown): boolean | undefined {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'boolean' ? value : undefined
}

function readArray(value: unknown, items: ClaimSchema): unknown[] | undefined {
  if (typeof value === 'object' && !Array.isArray(value)) return undefined
  return listIn(value, items).flatMap(item => readClaim(item, items) ?? [])
}

/** The values that text stands for: the only one, where it is a value of an enumeration as it is. */
function listIn(value: unknown, items: ClaimSchema): unknown[] {
  if (typeof value !== 'string') return [value].flat()
  if (Array.isArray(items.enum) && items.enum.includes(value)) return [value]
  const parsed = parseJson(value)
  if (Array.isArray(parsed)) return parsed
  const texts = value.split(',').map(text => text.trim())
  return texts.filter(text => text !== '')
}

function readObject(value: unknown, properties: Record<string, ClaimSchema>): Record<string, unknown> | undefined {
  const object = typeof value === 'string' ? parseJson(value) : value
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object)
  return isObject ? readFields(object as Record<string, unknown>, properties) : undefined
}

function readFields(claims: Record<string, unknown>, properties: Record<string, ClaimSchema>): Record<string, unknown> {
  const fields = Object.entries(claims).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const claim = schema && readClaim(value, schema)
    return claim === undefined ? [] : [[name, claim]]
  })
  return Object.fromEntries(fields)
}

/** A value as JSON; undefined for what is none, or longer than claims are. */
function parseJson(text: string): unknown {
  if (text.length > maxClaimsLength) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
