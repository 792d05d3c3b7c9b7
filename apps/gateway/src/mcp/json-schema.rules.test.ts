import { expect, it } from '@jest/globals'
import { selfContained } from './json-schema.rules.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const schemas = {
  Box: {
    type: 'object',
    properties: { toys: { type: 'array', items: ref('Toy') }, box: ref('Box'), tree: ref('Tree') },
  },
  Toy: { anyOf: [{ type: 'string' }, ref('Tree')] },
  Tree: { type: 'object' },
}

it('A schema brings along all that it refers to, itself too, and nothing else', () => {
  const { value, $defs } = selfContained({ body: ref('Box') }, { schemas, without: new Set() })
  expect(value).toEqual({ body: { $ref: '#/$defs/Box' } })
  expect(Object.keys($defs)).toEqual(['Box', 'Toy', 'Tree'])
  expect($defs.Box).toMatchObject({
    properties: { box: { $ref: '#/$defs/Box' }, toys: { items: { $ref: '#/$defs/Toy' } } },
  })
})

it('Fields and alternatives of a schema that is left out do not exist', () => {
  const { value, $defs } = selfContained(
    { body: ref('Box'), tree: ref('Tree') },
    { schemas, without: new Set(['Tree']) },
  )
  expect(value).toEqual({ body: { $ref: '#/$defs/Box' } })
  expect($defs).toMatchObject({ Toy: { anyOf: [{ type: 'string' }] } })
  expect(JSON.stringify($defs)).not.toContain('tree')
})

it('What is no reference to a schema stays as it is', () => {
  const value = { $ref: '#/other', const: '#/components/schemas/Toy', list: [1, null] }
  expect(selfContained(value, { schemas, without: new Set() })).toEqual({ value, $defs: {} })
})
