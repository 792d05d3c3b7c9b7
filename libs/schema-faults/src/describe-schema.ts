import type { z } from 'zod'

/** Any schema, as its own description tells it. */
export type Schema = z.core.$ZodType

const types: Record<string, string> = {
  int: 'a whole number',
  array: 'an array',
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

/** A type of value with its article. */
export function typeName(type: string): string {
  return types[type] ?? `a ${type}`
}

/** A format of text with its article. */
export function formatName(format: string): string {
  return formats[format] ?? `of the format ${format}`
}

/** What stands at a path within what a schema describes; nothing where that depends on the value. */
export function schemaAt(schema: Schema | undefined, path: PropertyKey[]): Schema | undefined {
  const [key, ...rest] = path
  if (!schema || key === undefined) return schema
  const def = definition(unwrapped(schema))
  if (def.type === 'object') return schemaAt(def.shape[String(key)], rest)
  if (def.type === 'array') return schemaAt(def.element, rest)
  return def.type === 'record' ? schemaAt(def.valueType, rest) : undefined
}

/** The schema of the names in a record. */
export function keySchema(schema: Schema | undefined): Schema | undefined {
  const def = schema && definition(unwrapped(schema))
  return def?.type === 'record' ? def.keyType : undefined
}

/** The schemas of which a value has to fit one. */
export function branches(schema: Schema | undefined): readonly Schema[] {
  const def = schema && definition(unwrapped(schema))
  return def?.type === 'union' ? def.options : []
}

/** Whether null fits. */
export function takesNull(schema: Schema | undefined): boolean {
  return schema !== undefined && alternatives(schema).includes('null')
}

/** In short, each thing that fits: a value, a type, or an object with what it cannot do without. */
export function alternatives(schema: Schema): string[] {
  const def = definition(schema)
  if (def.type === 'nullable') return [...alternatives(def.innerType), 'null']
  if ('innerType' in def) return alternatives(def.innerType)
  if (def.type === 'union') return [...new Set(def.options.flatMap(alternatives))]
  if (def.type === 'enum') return Object.values(def.entries).map(shown)
  if (def.type === 'literal') return def.values.map(shown)
  if (def.type === 'object') return [outline(def.shape)]
  if (def.type === 'string' && 'format' in def) return [formatName(String(def.format))]
  return [typeName(def.type)]
}

/** Phrases as one: `one of "a", "b" or null`. */
export function oneOf(phrases: string[]): string {
  const last = phrases.at(-1) ?? ''
  const others = phrases.slice(0, -1)
  if (others.length === 0) return last
  const areValues = phrases.every(phrase => !/^an? /.test(phrase))
  return `${others.length > 1 && areValues ? 'one of ' : ''}${others.join(', ')} or ${last}`
}

/** A value as JSON has it. */
export function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function outline(shape: Readonly<Record<string, Schema>>): string {
  const needed = Object.entries(shape).filter(([, schema]) => schema._zod.optin === undefined)
  const fields = needed.map(([key, schema]) => `${shown(key)}: ${constant(schema) ?? '…'}`)
  return fields.length > 0 ? `{${fields.join(', ')}}` : typeName('object')
}

function constant(schema: Schema): string | undefined {
  const def = definition(schema)
  return def.type === 'literal' && def.values.length === 1 ? shown(def.values[0]) : undefined
}

function unwrapped(schema: Schema): Schema {
  const def = definition(schema)
  return 'innerType' in def ? unwrapped(def.innerType) : schema
}

function definition(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def
}
