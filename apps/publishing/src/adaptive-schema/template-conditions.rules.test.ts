import { expressionFault, meetsCondition } from '@recto/expressions'
import { expect, it } from '@jest/globals'
import { templateConditions } from './template-conditions.rules.ts'

const object = (properties: object) => ({
  type: 'object',
  description: 'Inner',
  properties,
  additionalProperties: false,
})
const plan = { type: 'string', description: 'Plan', enum: ['free', 'pro "plus"'] }
const schema = object({
  unsigned: object({ beta: { type: 'boolean', description: 'Tests betas' } }),
  plan,
  'is-staff': { type: 'boolean', description: '' },
  name: { type: 'string', description: 'Name' },
  age: { type: 'number', description: 'Age' },
  roles: { type: 'array', description: 'Roles', items: { type: 'string', description: 'A role', enum: ['editor'] } },
  tags: { type: 'array', description: 'Tags', items: { type: 'string', description: 'A tag' } },
  company: object({ plan }),
})

const cases: [string, object][] = [
  ['Tests betas', { unsigned: { beta: true } }],
  ['Plan: free', { plan: 'free' }],
  ['Plan: pro "plus"', { plan: 'pro "plus"' }],
  ['visitor.claims["is-staff"]', { 'is-staff': true }],
  ['Roles: editor', { roles: ['reader', 'editor'] }],
  ['Plan: free', { company: { plan: 'free' } }],
  ['Plan: pro "plus"', { company: { plan: 'pro "plus"' } }],
]

it('suggests a condition for each boolean and each value, which holds for that claim only', () => {
  const conditions = templateConditions(schema)
  expect(conditions.map(({ description }) => description)).toEqual(cases.map(([description]) => description))
  for (const [at, { condition }] of conditions.entries()) {
    expect(expressionFault(condition)).toBeUndefined()
    const met = cases.map(([, claims]) => meetsCondition(condition, { visitor: { claims } }))
    expect([condition, met]).toEqual([condition, cases.map((_case, other) => other === at)])
    expect(meetsCondition(condition, { visitor: { claims: {} } })).toBe(false)
  }
})
