import { isComplex, withoutSchema, type Attributes } from './attributes.rules.ts'

/** The attributes that a client asks for, or does without. */
export interface Projection {
  attributes?: string | string[] | undefined
  excludedAttributes?: string | string[] | undefined
}

/** Attributes that every reply has (RFC 7643, section 7). */
const always = new Set(['schemas', 'id'])

/** A resource with the attributes that were asked for. */
export function project(resource: Attributes, { attributes, excludedAttributes }: Projection): Attributes {
  const included = pathsOf(attributes)
  if (included.length > 0) return select(resource, included, { isKept: key => always.has(key) })
  const excluded = pathsOf(excludedAttributes)
  return excluded.length > 0 ? omit(resource, excluded) : resource
}

/** Whether a reply has an attribute. */
export function includesAttribute({ attributes, excludedAttributes }: Projection, name: string): boolean {
  const included = pathsOf(attributes)
  if (included.length > 0) return included.some(path => path === name || path.startsWith(`${name}.`))
  return !pathsOf(excludedAttributes).includes(name)
}

/** The names that a list has, in lower case and without the schemas of RFC 7643. */
function pathsOf(names: string | string[] | undefined): string[] {
  const list = typeof names === 'string' ? names.split(',') : (names ?? [])
  return list.map(name => withoutSchema(name.trim()).toLowerCase()).filter(name => name !== '')
}

/** The parts of paths below an attribute, whose name may have dots and be joined by a colon as that of an extension is. */
function below(paths: readonly string[], key: string): string[] {
  const name = key.toLowerCase()
  return paths.flatMap(path =>
    path.startsWith(`${name}.`) || (name.startsWith('urn:') && path.startsWith(`${name}:`))
      ? [path.slice(name.length + 1)]
      : [],
  )
}

function select(
  value: Attributes,
  paths: readonly string[],
  { isKept }: { isKept: (key: string) => boolean },
): Attributes {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (isKept(key) || paths.includes(key.toLowerCase())) return [[key, item]]
      const parts = below(paths, key)
      return parts.length > 0 ? [[key, each(item, one => select(one, parts, { isKept: () => false }))]] : []
    }),
  )
}

function omit(value: Attributes, paths: readonly string[]): Attributes {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (paths.includes(key.toLowerCase()) && !always.has(key)) return []
      const parts = below(paths, key)
      return [[key, parts.length > 0 ? each(item, one => omit(one, parts)) : item]]
    }),
  )
}

/** Changes a complex value, or each of several. */
function each(value: unknown, change: (one: Attributes) => Attributes): unknown {
  if (Array.isArray(value)) return value.map(item => each(item, change))
  return isComplex(value) ? change(value) : value
}
