import { expect, it } from '@jest/globals'
import { oncePerMinute } from './refusals.rules.ts'

it('The same is new once a minute, and something else is new besides', () => {
  const isNew = oncePerMinute()
  expect([isNew('a', 0), isNew('a', 1), isNew('b', 2), isNew('a', 59_999)]).toEqual([true, false, true, false])
  expect([isNew('a', 60_000), isNew('b', 60_001), isNew('b', 60_002)]).toEqual([true, false, true])
})

it('Nothing is new above a number of keys, until a minute has passed', () => {
  const isNew = oncePerMinute()
  for (let at = 0; at < 10_000; at += 1) isNew(String(at), at)
  expect([isNew('more', 10_000), isNew('more', 60_000)]).toEqual([false, true])
})
