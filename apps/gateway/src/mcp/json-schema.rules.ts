/** A JSON Schema, as the API reference has it. */
export type Schema = Readonly<Record<string, unknown>>

const prefix = '#/components/schemas/'

interface Components {
  schemas: Readonly<Record<string, Schema>>
  /** Names of schemas that are left out: fields and alternatives of them do not exist. */
  without: ReadonlySet<string>
}

/** The schemas that others refer to, by the names under which they do (JSON Schema 2020-12, 8.2.4). */
export type Definitions = Record<string, Schema>

/** Makes schemas of the API reference self-contained: what they refer to is in the definitions, which belong into `$defs` of the root. */
export function selfContained<Shape>(value: Shape, components: Components): { value: Shape; $defs: Definitions } {
  const $defs: Definitions = {}
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.filter(each => !isLeftOut(each, components)).map(copy)
    if (!isSchema(part)) return part
    return Object.fromEntries(
      Object.entries(part).flatMap(([key, inner]) => {
        if (isLeftOut(inner, components)) return []
        return [[key, key === '$ref' && typeof inner === 'string' ? define(inner) : copy(inner)]]
      }),
    )
  }
  const define = (reference: string): string => {
    const name = nameOf(reference)
    const schema = name === undefined ? undefined : components.schemas[name]
    if (name === undefined || !schema) return reference
    if (!Object.hasOwn($defs, name)) {
      // Its place is taken before what is in it, since a schema may refer to itself.
      $defs[name] = schema
      $defs[name] = copy(schema) as Schema
    }
    return `#/$defs/${name}`
  }
  return { value: copy(value) as Shape, $defs }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

function isLeftOut(value: unknown, { without }: Components): boolean {
  const reference = isSchema(value) ? value.$ref : undefined
  const name = typeof reference === 'string' ? nameOf(reference) : undefined
  return name !== undefined && without.has(name)
}

function nameOf(reference: string): string | undefined {
  return reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined
}
