import type { Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import type { TeamRole } from './team-member.entity.ts'
import { canManageTeamMembers, canViewTeam, teamPermissions } from './teams.policy.ts'

const cases: [Role | null, TeamRole | undefined, { view: boolean; manage: boolean }][] = [
  [null, undefined, { view: false, manage: false }],
  [null, 'member', { view: false, manage: false }],
  [null, 'owner', { view: true, manage: true }],
  ['read', undefined, { view: true, manage: false }],
  ['read', 'member', { view: true, manage: false }],
  ['read', 'owner', { view: true, manage: true }],
  ['create', undefined, { view: true, manage: false }],
  ['admin', undefined, { view: true, manage: true }],
]

describe('a team', () => {
  it.each(cases)('for the role %s, in the team as %s: %j', (role, inTeam, expected) => {
    const membership = { organization: 'o', role, teams: inTeam ? ['t'] : [] }
    expect({ view: canViewTeam(membership, inTeam), manage: canManageTeamMembers(membership, inTeam) }).toEqual(
      expected,
    )
  })
})

it('allows an owner to change its members but not the team itself', () => {
  const shownTo = (role: Role | null, inTeam?: TeamRole) =>
    teamPermissions({ organization: 'o', role, teams: [] }, inTeam)
  expect([shownTo('admin'), shownTo('read', 'owner'), shownTo(null, 'owner'), shownTo(null, 'member')]).toEqual([
    { view: true, admin: true },
    { view: true, admin: false },
    { view: true, admin: false },
    { view: false, admin: false },
  ])
})
