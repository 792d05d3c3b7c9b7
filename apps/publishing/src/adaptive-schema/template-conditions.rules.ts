interface Part {
  type?: unknown
  description?: unknown
  enum?: unknown
  items?: Part
  properties?: Record<string, Part>
}

/** A condition that a schema suggests. */
export interface TemplateCondition {
  description: string
  condition: string
}

/** A condition for each boolean, and for each value of an enumeration, of a schema of claims. */
export function templateConditions(schema: Record<string, unknown>): TemplateCondition[] {
  return conditionsIn(schema, 'visitor.claims')
}

function conditionsIn(
  { type, description, enum: values, items, properties = {} }: Part,
  path: string,
): TemplateCondition[] {
  const about = typeof description === 'string' && description !== '' ? description : path
  if (type === 'boolean') return [{ description: about, condition: `${path} === true` }]
  if (type === 'string')
    return valuesOf(values).map(value => ({ ...valued(about, value), condition: `${path} === ${quoted(value)}` }))
  if (type === 'array')
    return valuesOf(items?.enum).map(value => ({
      ...valued(about, value),
      condition: `${path}.includes(${quoted(value)})`,
    }))
  return Object.entries(properties).flatMap(([name, part]) => conditionsIn(part, memberOf(path, name)))
}

const valuesOf = (values: unknown): string[] => (Array.isArray(values) ? (values as string[]) : [])
const valued = (about: string, value: string) => ({ description: `${about}: ${value}` })
const quoted = (value: string) => JSON.stringify(value)
const memberOf = (path: string, name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${quoted(name)}]`
