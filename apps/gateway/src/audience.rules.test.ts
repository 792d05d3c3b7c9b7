import type { Visitor } from '@recto/actor'
import { expect, it } from '@jest/globals'
import { audienceOf } from './audience.rules.ts'

const visitor: Visitor = { organization: 'o', site: 's', version: 3, spaces: ['a', 'b'], claims: { plan: 'pro' } }

it('visitors share replies with those who see the same', () => {
  expect(audienceOf(visitor)).toMatchObject({ resources: ['a', 'b'] })
  expect(audienceOf({ ...visitor, showsGit: false })).toEqual(audienceOf(visitor))
})

it.each<Partial<Visitor>>([
  { organization: 'p' },
  { site: 't' },
  { version: 4 },
  { spaces: ['a'] },
  { claims: { plan: 'free' } },
  { claims: {} },
  { showsGit: true },
  { previews: true },
  { excludesAgents: true },
  { revision: 'r' },
])('and with nobody else: %j', change => {
  expect(audienceOf({ ...visitor, ...change })?.key).not.toBe(audienceOf(visitor)?.key)
})

it('who previews a change request shares nothing, since its revision moves', () => {
  expect(audienceOf({ ...visitor, changeRequest: 'c' })).toBeUndefined()
})

it('a member who reads comments shares nothing, since their rights are those of the moment', () => {
  expect(audienceOf({ ...visitor, previews: true, member: 'u' })).toBeUndefined()
})
