import { expect, it } from '@jest/globals'
import { outcomeOf, reasonOf } from './purge.rules.ts'

it.each([
  [200, 'purged'],
  [204, 'purged'],
  [302, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [404, 'refused'],
  [408, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('an answer with status %i means: %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome)
})

it.each([
  [302, 'READER_URL redirects'],
  [401, 'READER_SECRET'],
  [404, 'no reader at READER_URL'],
  [400, 'status 400'],
])('status %i has a reason: %s', (status, part) => {
  expect(reasonOf(status)).toContain(part)
})
