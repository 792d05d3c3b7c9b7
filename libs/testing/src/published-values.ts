import { comparedElsewhere, resolved, type RepliesDocument, type Schema } from './published-fields.ts'

interface ValueSchema extends Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: boolean | ValueSchema
  properties?: Record<string, ValueSchema>
  items?: ValueSchema
  allOf?: ValueSchema[]
  anyOf?: ValueSchema[]
  oneOf?: ValueSchema[]
}

/** The values that the strings at each path of a schema may have; `open` has the paths at which any string may stand. */
interface EnumeratedValues {
  values: Map<string, Set<string>>
  open: Set<string>
}

/**
 * Lists the enumerated strings that a published schema allows and an own schema does not, as `path: value`. Paths that the own schema lacks,
 * and those at which it takes any string, are left out.
 */
export function lackingValues(
  [document, own]: [RepliesDocument, Schema],
  [published, theirs]: [RepliesDocument, Schema],
): string[] {
  const ours = valuesOf(document, own)
  const { values: publishedValues } = valuesOf(published, theirs)
  return [...publishedValues].flatMap(([path, values]) => {
    const allowed = ours.values.get(path)
    if (!allowed || ours.open.has(path)) return []
    return [...values].flatMap(value => (allowed.has(value) ? [] : [`${path.replace(/^\./, '')}: ${value}`]))
  })
}

/** Collects the enumerated strings of a schema by path. Recursive schemas are visited once per branch. */
function valuesOf(document: RepliesDocument, root: Schema): EnumeratedValues {
  const values = new Map<string, Set<string>>()
  const open = new Set<string>()
  const walk = (schema: ValueSchema, path: string, inside: string[]): void => {
    const { $ref, properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema
    if ($ref !== undefined && !inside.includes($ref) && !comparedElsewhere.has($ref.split('/').at(-1) ?? ''))
      walk(resolved(document, $ref) as ValueSchema, path, [...inside, $ref])
    for (const alternative of [...allOf, ...anyOf, ...oneOf]) walk(alternative, path, inside)
    const strings = [...(schema.enum ?? []), schema.const].filter(value => typeof value === 'string')
    if (strings.length > 0) values.set(path, new Set([...(values.get(path) ?? []), ...strings]))
    else if ([schema.type].flat().includes('string')) open.add(path)
    if (items) walk(items, `${path}[]`, inside)
    if (typeof additionalProperties === 'object') walk(additionalProperties, `${path}{}`, inside)
    for (const [property, value] of Object.entries(properties)) walk(value, `${path}.${property}`, inside)
  }
  walk(root, '', [])
  return { values, open }
}
