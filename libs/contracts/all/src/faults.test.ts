import type { Operation } from '@recto/operation'
import { parseWithFaults } from '@recto/schema-faults'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { api, calls } from './index.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const tables = [...Object.values(api), ...Object.values(calls)] as Record<string, Operation>[]
const inputs = tables
  .flatMap(rows => Object.entries(rows))
  .flatMap(([id, { query, body }]) => [
    ...(query ? [{ name: `${id}.query`, schema: query }] : []),
    ...(body ? [{ name: `${id}.body`, schema: body }] : []),
  ])
const long = 'x'.repeat(3_000)
const wrong = [
  undefined,
  null,
  0,
  -1,
  1.5,
  2 ** 60,
  true,
  '',
  'a b\0',
  '\ud800',
  long,
  [],
  [0, null],
  {},
  { type: 'x' },
]

/** A schema with its definitions, and the references that are being followed. */
interface Root {
  definitions: JsonSchema
  open: readonly string[]
}

/** Values valid under the JSON Schema types of a schema, one for each branch of a union; formats are ignored, and what contains itself ends. */
function samples(schema: JsonSchema, root: Root): unknown[] {
  if (schema.$ref) {
    // The blocks of documents have so many forms that their combinations are beyond counting.
    if (root.open.includes(schema.$ref) || schema.$ref.endsWith('/DocumentBlock')) return []
    const definition = root.definitions.$defs?.[schema.$ref.replace('#/$defs/', '')] as JsonSchema
    return samples(definition, { ...root, open: [...root.open, schema.$ref] })
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap(option => samples(option as JsonSchema, root))
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return [schema.enum[0]]
  if (schema.type === 'array') {
    const items = samples(schema.items as JsonSchema, root)
    return items.length === 0 ? [[]] : items.map(item => [item])
  }
  if (schema.type !== 'object') return [schema.type === 'string' ? 'a' : schema.type === 'boolean' ? true : 1]
  const fields = Object.entries(schema.properties ?? { a: schema.additionalProperties ?? {} })
  const ofFields = fields.map(([key, value]) => [key, samples(value as JsonSchema, root)] as const)
  const count = Math.max(1, ...ofFields.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(ofFields.map(([key, values]) => [key, values[index % values.length]])),
  )
}

/** Variants of the value with one part, or the whole, replaced by an invalid value. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* wrong
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value))
    for (const other of spoilt(part))
      yield Array.isArray(value) ? [...value, other] : { ...value, [key]: other, [long.slice(0, 300)]: other }
}

it.each(inputs)('Every fault of $name has a message of our own', ({ name, schema }) => {
  const [, part = ''] = name.split('.')
  const json = z.toJSONSchema(schema, { io: 'input' })
  const faults = samples(json, { definitions: json, open: [] })
    .flatMap(sample => [...spoilt(sample)])
    .flatMap(value => {
      const result = parseWithFaults(schema, value, [part])
      return result.success ? [] : result.faults
    })
  expect(faults.length).toBeGreaterThan(0)
  const plain = /^(its key )?(is required$|is not available: \S|must (not )?(be|have|contain|match) \S)/
  const ofZod = /invalid [a-z]|expected|received|too (big|small)|unrecognized/i
  const strange = faults.filter(
    ({ path, message }) => !path.startsWith(part) || !plain.test(message) || ofZod.test(message),
  )
  expect([...new Set(strange.map(({ path, message }) => `${path.slice(0, 60)}: ${message}`))]).toEqual([])
})
