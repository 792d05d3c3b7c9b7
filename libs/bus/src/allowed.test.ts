import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { alternatives, oneOf, schemaAt, takesNull } from './allowed.ts'

const Place = z.object({
  type: z.literal('space'),
  space: z.string(),
  note: z.string().optional(),
  order: z.number().default(0),
})

it.each<[z.ZodType, string]>([
  [z.string().optional(), 'a string'],
  [z.email().nullable(), 'an e-mail address or null'],
  [z.enum(['a', 'b']).default('a'), '"a" or "b"'],
  [z.union([z.enum(['a', 'b']), z.literal(['b', 1])]), 'one of "a", "b" or 1'],
  [z.union([z.string(), z.number(), z.boolean()]), 'a string, a number or a boolean'],
  [Place.or(z.array(z.string())), '{"type": "space", "space": …} or an array'],
  [z.object({ a: z.string().optional() }), 'an object'],
])('case %# is told in short', (schema, phrase) => {
  expect(oneOf(alternatives(schema))).toBe(phrase)
})

it('finds what stands at a path, except within a union', () => {
  const schema = z.object({
    list: z.array(z.record(z.string(), z.string().nullable())).optional(),
    either: z.union([Place, z.object({})]),
  })
  expect(takesNull(schemaAt(schema, ['list', 0, 'a']))).toBe(true)
  expect(takesNull(schemaAt(schema, ['list', 0]))).toBe(false)
  expect(schemaAt(schema, ['either', 'space'])).toBeUndefined()
})
