import { expect, it } from '@jest/globals'
import { changedFields } from './changed-fields.ts'

const at = new Date(0)

it.each([
  [
    'equal values, in any order of their fields',
    { a: 1, b: { c: 1, d: at } },
    { b: { d: new Date(0), c: 1 }, a: 1 },
    [],
  ],
  ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }, ['b']],
  ['a field that is gone, and a new one', { a: 1 }, { b: 1 }, ['a', 'b']],
  ['a field without a value', { a: 1 }, { a: 1, b: undefined }, []],
  ['null and no value', { a: null }, {}, ['a']],
  ['an excepted field', { a: 1, version: 1 }, { a: 2, version: 2 }, ['a']],
])('The fields that differ are named: %s', (_case, before, after, fields) => {
  expect(changedFields(before, after, ['version'])).toEqual(fields)
})
