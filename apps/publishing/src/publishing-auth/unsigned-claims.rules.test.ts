import { meetsCondition } from '@recto/expressions'
import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { templateConditions } from '../adaptive-schema/template-conditions.rules.ts'
import { unsignedClaims } from './unsigned-claims.rules.ts'

const described = (claim: object) => ({ description: 'A claim', ...claim })
const flag = described({ type: 'boolean' })
const number = described({ type: 'number' })
const text = described({ type: 'string' })
const plan = described({ type: 'string', enum: ['free', 'pro', 'true', '5', 'a,b', '["x"]', ' '] })
const arrayOf = (items: object) => described({ type: 'array', items })
const objectOf = (properties: object) => described({ type: 'object', properties, additionalProperties: false })
const company = objectOf({ plan, size: number, admin: flag, parts: arrayOf(text), owner: objectOf({ name: text }) })
const declaring = (claim: object) => ({ type: 'object', properties: { unsigned: objectOf({ claim }) } })
const read = (value: unknown, claim: object) => unsignedClaims({ claim: value }, declaring(claim)).claim

describe('a claim without proof', () => {
  it.each<[string, object, unknown, unknown]>([
    ['text', text, 'Ada', 'Ada'],
    ['an empty text', text, '', ''],
    ['a number where the schema says text', text, 5, '5'],
    ['a boolean where the schema says text', text, true, 'true'],
    ['an object where the schema says text', text, { a: 1 }, undefined],
    ['nothing where the schema says text', text, null, undefined],
    ['the last of several texts', text, ['a', 'b'], 'b'],
    ['none of no texts', text, [], undefined],
    ['a value of an enumeration', plan, 'pro', 'pro'],
    ['another value', plan, 'gold', undefined],
    ['a value of an enumeration that looks like a boolean', plan, true, 'true'],
    ['a value of an enumeration that looks like a number', plan, 5, '5'],
    ['a number', number, 5, 5],
    ['a number as text', number, '5', 5],
    ['a fraction as text', number, '-0.25', -0.25],
    ['a power as text', number, '1e3', 1000],
    ['an infinite number as text', number, '1e999', undefined],
    ['a number with more than a number', number, '5 apples', undefined],
    ['an empty text where the schema says number', number, '', undefined],
    ['a hexadecimal number', number, '0x10', undefined],
    ['a boolean where the schema says number', number, true, undefined],
    ['a boolean', flag, false, false],
    ['a boolean as text', flag, 'true', true],
    ['false as text', flag, 'false', false],
    ['another text where the schema says boolean', flag, 'yes', undefined],
    ['a number where the schema says boolean', flag, 1, undefined],
    ['an array', arrayOf(text), ['a', 'b'], ['a', 'b']],
    ['an array with something else in it', arrayOf(number), ['1', 'x', 2, null], [1, 2]],
    ['values by commas', arrayOf(plan), 'free,pro', ['free', 'pro']],
    ['values by commas with spaces', arrayOf(number), '1, 2 ,x', [1, 2]],
    ['one value', arrayOf(plan), 'pro', ['pro']],
    ['one value that looks like several', arrayOf(plan), 'a,b', ['a,b']],
    ['one value that looks like JSON', arrayOf(plan), '["x"]', ['["x"]']],
    ['one value that is a space', arrayOf(plan), ' ', [' ']],
    ['one value that is no text', arrayOf(plan), true, ['true']],
    ['an array as JSON', arrayOf(text), '["a,b", "c"]', ['a,b', 'c']],
    ['no values', arrayOf(text), '', []],
    ['several values, each as it is', arrayOf(text), ['a,b', 'c'], ['a,b', 'c']],
    ['an object where the schema says array', arrayOf(text), { a: 1 }, undefined],
    ['nothing where the schema says array', arrayOf(text), null, undefined],
    ['an object', company, { plan: 'pro', size: '5', admin: 'true' }, { plan: 'pro', size: 5, admin: true }],
    ['an object with more', company, { plan: 'gold', other: 1, size: 3 }, { size: 3 }],
    ['an object in an object', company, { owner: { name: 'Ada', age: 5 } }, { owner: { name: 'Ada' } }],
    ['an array in an object', company, { parts: 'a,b' }, { parts: ['a', 'b'] }],
    ['an object as JSON', company, '{"plan":"pro","owner":{"name":"Ada"}}', { plan: 'pro', owner: { name: 'Ada' } }],
    ['an object in an object as JSON', company, { owner: '{"name":"Ada"}' }, { owner: { name: 'Ada' } }],
    ['an array where the schema says object', company, ['a'], undefined],
    ['text where the schema says object', company, 'pro', undefined],
    ['JSON that is no object', company, '[1]', undefined],
    ['what cannot be declared', company, JSON.parse('{"__proto__": {"size": 1}, "constructor": 1}'), {}],
    ['JSON that is nested without end', company, '['.repeat(2_000), undefined],
  ])('%s', (_case, claim, value, expected) => {
    expect(read(value, claim)).toEqual(expected)
  })
})

/** Names and values as people may declare them. */
const name = fc.oneof(
  fc.constantFrom('plan', 'is-staff', 'a.b', 'ä', 'x y', '"', '[0]', 'true'),
  fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }),
)
const values = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('pro', 'true', 'false', '5', 'a,b', ',', ' x ', '["a"]', '{}', 'ä', '"'),
    fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }),
  ),
  { minLength: 1, maxLength: 3 },
)
const leaf = fc.oneof(
  fc.constant(flag),
  fc.constant(number),
  values.map(all => described({ type: 'string', enum: all })),
  values.map(all => arrayOf(described({ type: 'string', enum: all }))),
)
const { claim } = fc.letrec<{ claim: object }>(tie => ({
  claim: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.dictionary(name, tie('claim'), { maxKeys: 3, noNullPrototype: true }).map(objectOf),
  ),
}))

interface Part {
  type: string
  enum?: string[]
  items?: Part
  properties?: Record<string, Part>
}

/** For each suggested condition of a claim, in their order, what makes it true as readers send it: every value is text. */
function texts(claim: Part): unknown[] {
  if (claim.type === 'boolean') return ['true']
  if (claim.type === 'string') return claim.enum ?? []
  if (claim.type === 'array') return claim.items?.enum ?? []
  return Object.entries(claim.properties ?? {}).flatMap(([key, part]) => texts(part).map(value => ({ [key]: value })))
}

it('every suggested condition of a schema is met by claims that are text', () => {
  const property = fc.property(fc.dictionary(name, claim, { maxKeys: 4, noNullPrototype: true }), properties => {
    const unsigned = objectOf(properties)
    const schema = { type: 'object', properties: { unsigned } }
    const conditions = templateConditions(schema)
    const all = texts(unsigned as unknown as Part)
    expect(all).toHaveLength(conditions.length)
    for (const [at, { condition }] of conditions.entries()) {
      const claims = { unsigned: unsignedClaims(all[at] as Record<string, unknown>, schema) }
      expect([condition, meetsCondition(condition, { visitor: { claims } })]).toEqual([condition, true])
    }
  })
  fc.assert(property, { numRuns: 300 })
})
