import { expect, it } from '@jest/globals'
import { decideVisit, mayReadSites, type VisitAnswer, type VisitState } from './visit.rules.ts'

const booleans = [true, false]
const standings = ['none', 'needs-single-sign-on', 'lacks-scope', 'member'] as const

/** All states that fit these fields. */
function statesOf(fields: Partial<VisitState>): VisitState[] {
  const all = booleans.flatMap(isSignedIn =>
    booleans.flatMap(hasReturned =>
      standings.flatMap(standing => booleans.map(isVisible => ({ isSignedIn, hasReturned, standing, isVisible }))),
    ),
  )
  return all.filter(state => Object.entries(fields).every(([name, value]) => state[name as keyof VisitState] === value))
}

const table: [Partial<VisitState>, VisitAnswer][] = [
  [{ isSignedIn: false, hasReturned: false }, 'sign-in'],
  [{ isSignedIn: false, hasReturned: true }, 'no-session'],
  [{ isSignedIn: true, standing: 'none' }, 'not-visible'],
  [{ isSignedIn: true, standing: 'needs-single-sign-on' }, 'needs-single-sign-on'],
  [{ isSignedIn: true, standing: 'lacks-scope', isVisible: false }, 'not-visible'],
  [{ isSignedIn: true, standing: 'lacks-scope', isVisible: true }, 'lacks-scope'],
  [{ isSignedIn: true, standing: 'member', isVisible: false }, 'not-visible'],
  [{ isSignedIn: true, standing: 'member', isVisible: true }, 'code'],
]

it.each(table)('A browser with %j gets %s', (fields, answer) => {
  for (const state of statesOf(fields)) expect(decideVisit(state)).toBe(answer)
})

it('The table has each state once', () => {
  expect(table.flatMap(([fields]) => statesOf(fields))).toHaveLength(32)
  expect(new Set(table.flatMap(([fields]) => statesOf(fields).map(state => JSON.stringify(state)))).size).toBe(32)
})

it.each<[string[], boolean]>([
  [['read'], true],
  [['write'], true],
  [['admin'], true],
  [['site:read', 'space:read'], true],
  [['user:tokens:write'], false],
  [['user:tokens:write', 'site:read'], false],
  [['user:tokens:write', 'space:read'], false],
  [[], false],
])('A token with the scopes %j reads sites: %s', (scopes, expected) => {
  expect(mayReadSites(scopes)).toBe(expected)
})
