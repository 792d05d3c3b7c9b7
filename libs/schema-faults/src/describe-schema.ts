import type { z } from 'zod'

/** Any zod schema. */
export type Schema = z.core.$ZodType

const types: Record<string, string> = {
  int: 'a whole number',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  url: 'a URL',
  email: 'an e-mail address',
  datetime: 'a point in time (ISO 8601)',
  date: 'a date (ISO 8601)',
  time: 'a time (ISO 8601)',
  duration: 'a duration (ISO 8601)',
  uuid: 'a UUID',
}

/** Names a JSON type with its article. */
export function typeName(type: string): string {
  return types[type] ?? `a ${type}`
}

/** Names a string format with its article. */
export function formatName(format: string): string {
  return formats[format] ?? `of the format ${format}`
}

/** Finds the schema at a path inside a schema; undefined where it depends on the value, as inside a union. */
export function schemaAt(schema: Schema | undefined, path: PropertyKey[]): Schema | undefined {
  const [key, ...rest] = path
  if (!schema || key === undefined) return schema
  return schemaAt(schemaOfKey(definition(unwrapped(schema)), key), rest)
}

function schemaOfKey(def: Definition, key: PropertyKey): Schema | undefined {
  switch (def.type) {
    case 'object':
      return def.shape[String(key)] ?? def.catchall
    case 'array':
      return def.element
    case 'tuple':
      return def.items[Number(key)] ?? def.rest ?? undefined
    case 'record':
      return def.valueType
    case 'intersection':
      return schemaAt(def.left, [key]) ?? schemaAt(def.right, [key])
    default:
      return undefined
  }
}

/** Finds the schema of a record's keys. */
export function keySchema(schema: Schema | undefined): Schema | undefined {
  const def = schema && definition(unwrapped(schema))
  return def?.type === 'record' ? def.keyType : undefined
}

/** Lists the branches of a union; empty for any other schema. */
export function branches(schema: Schema | undefined): readonly Schema[] {
  const def = schema && definition(unwrapped(schema))
  return def?.type === 'union' ? def.options : []
}

/** Tells whether a schema accepts null. */
export function acceptsNull(schema: Schema | undefined): boolean {
  return schema !== undefined && alternatives(schema).includes('null')
}

/** Lists in short what a schema accepts: values, types, and objects with their required fields. */
export function alternatives(schema: Schema): string[] {
  const def = definition(schema)
  if (def.type === 'nullable') return [...alternatives(def.innerType), 'null']
  const inner = innerSchema(def)
  if (inner) return alternatives(inner)
  if (def.type === 'union') return [...new Set(def.options.flatMap(alternatives))]
  if (def.type === 'enum') return Object.values(def.entries).map(describeValue)
  if (def.type === 'literal') return def.values.map(describeValue)
  if (def.type === 'object') return [outline(def.shape)]
  if (def.type === 'string' && 'format' in def) return [formatName(String(def.format))]
  return [typeName(def.type)]
}

/** Joins phrases: `one of "a", "b" or null`. */
export function oneOf(phrases: string[]): string {
  const last = phrases.at(-1) ?? ''
  const others = phrases.slice(0, -1)
  if (others.length === 0) return last
  const areValues = phrases.every(phrase => !/^an? /.test(phrase))
  return `${others.length > 1 && areValues ? 'one of ' : ''}${others.join(', ')} or ${last}`
}

/** Writes a value as JSON. */
export function describeValue(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function outline(shape: Readonly<Record<string, Schema>>): string {
  const required = Object.entries(shape).filter(([, schema]) => schema._zod.optin === undefined)
  const fields = required.map(([key, schema]) => `${describeValue(key)}: ${constant(schema) ?? '…'}`)
  return fields.length > 0 ? `{${fields.join(', ')}}` : typeName('object')
}

function constant(schema: Schema): string | undefined {
  const def = definition(schema)
  return def.type === 'literal' && def.values.length === 1 ? describeValue(def.values[0]) : undefined
}

type Definition = z.core.$ZodTypes['_zod']['def']

/** The schema that a wrapper (optional, default, lazy, pipe, ...) is around. */
function innerSchema(def: Definition): Schema | undefined {
  if (def.type === 'lazy') return def.getter()
  if (def.type === 'pipe') return def.in
  return 'innerType' in def ? def.innerType : undefined
}

function unwrapped(schema: Schema): Schema {
  const inner = innerSchema(definition(schema))
  return inner ? unwrapped(inner) : schema
}

function definition(schema: Schema): Definition {
  return (schema as z.core.$ZodTypes)._zod.def
}
