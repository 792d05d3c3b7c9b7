import { expect, it } from '@jest/globals'
import { dependsOn } from './depends-on.ts'

it.each([
  ['visitor.claims.plan', true],
  ['space.vars.on && visitor.claims.plan == "pro"', true],
  ['space.vars[visitor.claims.plan]', true],
  ['[1].map(item => visitor.claims[item])', true],
  ['`${visitor.claims.plan}`', true],
  ['space.visitor', false],
  ['space.vars.visitor', false],
  ['"visitor"', false],
  ['visitor.', false],
  ['', false],
])('says whether an expression reads a value: %s', (source, expected) =>
  expect(dependsOn(source, 'visitor')).toBe(expected),
)
