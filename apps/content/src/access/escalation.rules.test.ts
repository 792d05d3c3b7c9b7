import type { Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import type { AclEntry } from './access.policy.ts'
import { exceedsRole, grantsAdmin, restrictToSubjects } from './escalation.rules.ts'

const level = (set: Partial<AclEntry> = {}): AclEntry => ({
  id: 'space',
  defaultLevel: 'inherit',
  users: {},
  teams: {},
  ...set,
})
const user = (subjectId: string) => ({ subject: 'user' as const, subjectId })
const team = (subjectId: string) => ({ subject: 'team' as const, subjectId })

describe('whether the affected subjects can have the role admin', () => {
  it.each<[string, AclEntry[], ReturnType<typeof user | typeof team>[] | undefined, boolean]>([
    ['nowhere', [level(), level({ defaultLevel: 'create' })], undefined, false],
    ['by a default level', [level({ defaultLevel: 'admin' })], [user('ada')], true],
    ['by a default level further up', [level(), level({ defaultLevel: 'admin' })], [user('ada')], true],
    ['to a team, in which they may be', [level({ teams: { reds: 'admin' } })], [user('ada')], true],
    ['to them', [level(), level({ users: { ada: 'admin' } })], [user('ada')], true],
    ['to another user', [level({ users: { bob: 'admin' } }), level({ users: { bob: 'admin' } })], [user('ada')], false],
    [
      'on the object to a user, who is taken out of the team by it',
      [level({ users: { bob: 'admin' } })],
      [team('reds')],
      false,
    ],
    [
      'further up to a user, who may be in the team',
      [level(), level({ users: { bob: 'admin' } })],
      [team('reds')],
      true,
    ],
    ['to anybody, when it is about everybody', [level({ users: { bob: 'admin' } })], undefined, true],
  ])(
    'grantsAdmin knows whether the affected subjects can have the role admin: it is granted %s',
    (_case, levels, subjects, expected) => {
      expect(grantsAdmin(restrictToSubjects(levels, subjects))).toBe(expected)
    },
  )
})

describe('exceedsRole', () => {
  it.each<[Role | null, Role | null, boolean, boolean]>([
    ['read', 'create', false, false],
    ['admin', 'admin', false, false],
    ['create', 'admin', true, true],
    [null, 'admin', true, true],
    ['admin', 'create', true, false],
    ['admin', null, true, false],
    ['create', null, false, false],
  ])(
    'exceedsRole tells whether a change from %s to %s is beyond a creator: %s; when it may lower: %s',
    (before, after, beyond, beyondLowering) => {
      expect([exceedsRole('create', { before, after }, false), exceedsRole('create', { before, after }, true)]).toEqual(
        [beyond, beyondLowering],
      )
    },
  )
})
