import { fieldsOf, textsOf } from '../model/read.ts'
import { listOf, own, wordsOf, type ResolvedSchema, type Specification } from './specification.ts'

/** A property of an object, or another part of a schema that has a name. */
export interface Property {
  name: string
  schema: unknown
  isRequired: boolean
}

/** The parts of a schema: properties, or the schemas of which it is one or any. */
export interface SchemaParts {
  properties: Property[]
  choices: { kind: 'oneOf' | 'anyOf'; schemas: unknown[] } | undefined
}

const maxProperties = 500
const maxMerged = 50

/** The types of a schema by name, without null. */
export function typesOf(schema: Record<string, unknown>): string[] {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : textsOf(schema['type'])
  const typeNames = types.filter(type => type !== 'null')
  if (typeNames.length > 0) return typeNames
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return ['object']
  return schema['items'] === undefined ? [] : ['array']
}

/** Tells whether a schema allows null, as OpenAPI 3.0 or 3.1 says it. */
export function isNullable(schema: Record<string, unknown>): boolean {
  return schema['nullable'] === true || textsOf(schema['type']).includes('null')
}

/**
 * Returns the schema merged with those in its `allOf`, and theirs, at most `maxMerged` in all; circular ones are skipped. Its own fields
 * win, `properties` and `required` are united, and name and pointers stay.
 */
export function mergeAllOf({ value, pointers, name }: ResolvedSchema, specification: Specification): ResolvedSchema {
  const seen = new Set(pointers)
  const parts: Record<string, unknown>[] = []
  const queue: unknown[] = [value]
  for (let count = 0; queue.length > 0 && count < maxMerged; count += 1) {
    const part = specification.follow(queue.shift())
    if (part.pointers.some(pointer => seen.has(pointer))) continue
    part.pointers.forEach(pointer => seen.add(pointer))
    queue.push(...listOf(part.value['allOf']))
    parts.push(part.value)
  }
  const [own = {}, ...taken] = parts
  const ordered = [...taken, own]
  const properties = Object.fromEntries(ordered.flatMap(part => Object.entries(fieldsOf(part['properties']))))
  const required = ordered.flatMap(part => textsOf(part['required']))
  const hasProperties = Object.keys(properties).length > 0
  return { name, pointers, value: { ...Object.assign({}, ...ordered), ...(hasProperties && { properties, required }) } }
}

/** The parts of a schema that `merged` made; of an array, those of its items. */
export function partsOf({ value }: ResolvedSchema): SchemaParts {
  const required = new Set(textsOf(value['required']))
  const properties = Object.entries(fieldsOf(value['properties']))
    .slice(0, maxProperties)
    .map(([name, schema]): Property => ({ name, schema, isRequired: required.has(name) }))
  const kind = (['oneOf', 'anyOf'] as const).find(name => listOf(value[name]).length > 0)
  const schemas = kind
    ? listOf(value[kind])
        .slice(0, 50)
        .filter(schema => own(schema, 'type') !== 'null')
    : []
  return { properties, choices: kind && schemas.length > 0 ? { kind, schemas } : undefined }
}

/** Tells whether a schema, or the items of its lists, is one that it is in. */
export function isCircular(schema: unknown, path: readonly string[], specification: Specification): boolean {
  let item = schema
  for (let depth = 0; depth < 4; depth += 1) {
    const { value, pointers } = specification.follow(item)
    if (pointers.some(pointer => path.includes(pointer))) return true
    if (value['items'] === undefined) return false
    item = value['items']
  }
  return false
}

/** The type of a schema in words, such as `array of Pet` or `string (date)`. */
export function typeText(schema: unknown, specification: Specification, depth = 0): string {
  const { value, name } = specification.follow(schema)
  const types = typesOf(value)
  const format = wordsOf(value['format'])
  if (types.includes('array') && depth < 4) return `array of ${typeText(value['items'], specification, depth + 1)}`
  if (name !== undefined) return name
  const combined = (['allOf', 'oneOf', 'anyOf'] as const).find(key => listOf(value[key]).length > 0)
  if (combined && depth < 2) return combinedText(value, combined, specification)
  if (types.length > 0) return `${types.join(' or ')}${format ? ` (${format})` : ''}`
  return 'any'
}

const joints = { allOf: ' and ', oneOf: ' or ', anyOf: ' and/or ' }

function combinedText(value: Record<string, unknown>, key: keyof typeof joints, specification: Specification): string {
  const names = listOf(value[key])
    .slice(0, 6)
    .map(schema => typeText(schema, specification, 2))
  return [...new Set(names)].filter(name => name !== 'any').join(joints[key]) || 'any'
}
