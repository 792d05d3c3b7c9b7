import { z } from 'zod'

/** A JSON Schema, as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>

/** The named schemas collected while a document is built. */
export interface Components {
  schemas: Record<string, JsonSchema>
  /** Converts a schema, with references into `schemas` for its named parts. */
  reference(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** Converts the schema of an object, with its top level inline. */
  inline(schema: z.ZodType): JsonSchema
}

const local = '#/$defs/'
const shared = '#/components/schemas/'

/**
 * Creates an empty collection; a schema that differs as input and output gets two names. Fields that have no description, and refer to no
 * schema that has one, get that of their name, or of `Schema.field`.
 */
export function createComponents(descriptions: Readonly<Record<string, string>> = {}): Components {
  const schemas: Record<string, JsonSchema> = {}
  const describe = (name: string, schema: JsonSchema) =>
    withDescriptions(schema, field => descriptions[`${name}.${field}`] ?? descriptions[field]) as JsonSchema

  const keep = (name: string, schema: JsonSchema): string => {
    const existingSchema = schemas[name]
    if (existingSchema === undefined || JSON.stringify(existingSchema) === JSON.stringify(schema)) {
      schemas[name] = schema
      return name
    }
    return keep(`${name}Input`, schema)
  }
  const hoist = (schema: JsonSchema): JsonSchema => {
    const { $defs = {}, $schema: _dialect, ...root } = schema
    const names = new Map<string, string>()
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      const { id: _id, ...clean } = definition
      names.set(name, keep(name, describe(name, pointAt(clean) as JsonSchema)))
    }
    return describe('', pointAt(root, names) as JsonSchema)
  }
  return {
    schemas,
    reference: (schema, io) => hoist(z.toJSONSchema(schema, { io })),
    inline: schema => hoist(z.toJSONSchema(schema, { io: 'input' })),
  }
}

function pointAt(value: unknown, names?: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map(item => pointAt(item, names))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(local)) return [key, pointAt(inner, names)]
    const name = inner.slice(local.length)
    return [key, `${shared}${names?.get(name) ?? name}`]
  })
  return Object.fromEntries(entries)
}

function withDescriptions(value: unknown, describe: (field: string) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map(item => withDescriptions(item, describe))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonSchema).map(([key, inner]) => {
    if (key !== 'properties') return [key, withDescriptions(inner, describe)]
    const fields = Object.entries(inner as Record<string, JsonSchema>).map(([field, schema]) => {
      const description = schema.description ?? ('$ref' in schema || 'const' in schema ? undefined : describe(field))
      return [
        field,
        { ...(description !== undefined && { description }), ...(withDescriptions(schema, describe) as JsonSchema) },
      ]
    })
    return [key, Object.fromEntries(fields)]
  })
  return Object.fromEntries(entries)
}
