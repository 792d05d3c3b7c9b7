import { roles, type Actor, type Role } from '@recto/actor'
import { failureOf } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import {
  type DefaultLevel,
  effectiveRole,
  type Granted,
  openedBy,
  type Placed,
  requireGrant,
  requireMember,
  requireNoRise,
  requireSettings,
  viewOf,
} from './access.policy.ts'
import { scenarios } from './access.scenarios.ts'
import type { State, Who } from './scenario.ts'

const actor = ({ role, teams }: Who): Actor => ({
  userId: 'me',
  platformAdmin: false,
  scopes: [],
  memberships:
    role === 'stranger'
      ? [{ organization: 'another', role: 'admin', teams }]
      : [
          { organization: 'another', role: 'admin', teams: [] },
          { organization: 'org', role, teams },
        ],
})
const roleIn = ({ who, path }: State) => effectiveRole(actor(who), 'org', path)

describe('effectiveRole', () => {
  it.each(scenarios)('$number: $says', ({ was, ...is }) => {
    if (was) expect(roleIn(was)).toBe(was.role)
    expect(roleIn(is)).toBe(is.role)
  })

  it('has each case once, in the order of their numbers, sixty at least', () => {
    expect(scenarios.map(({ number }) => number)).toEqual(scenarios.map((_, at) => at + 1))
    expect(new Set(scenarios.map(({ says }) => says)).size).toBe(scenarios.length)
    expect(scenarios.length).toBeGreaterThanOrEqual(60)
  })

  it('takes names of Object.prototype for no grants', () => {
    expect(
      effectiveRole(actor({ role: 'read', teams: ['constructor'] }), 'org', [
        { defaultLevel: 'inherit', users: {}, teams: {} },
      ]),
    ).toBe('read')
  })
})

const nothing: Granted = { defaultLevel: 'inherit', userGrant: null, teamGrants: null }
const placed = (own: Partial<Granted>, ...above: Partial<Granted>[]): Placed => ({
  ...nothing,
  ...own,
  organizationId: 'org',
  above: above.length > 0 ? above.map(granted => ({ ...nothing, ...granted })) : null,
})

describe('viewOf', () => {
  it.each<[string, Placed, Role | null, ReturnType<typeof viewOf>]>([
    [
      'what is in no collection has no role above',
      placed({}),
      'edit',
      { role: 'edit', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'what is in a collection has the role there above',
      placed({ userGrant: 'create' }, { defaultLevel: 'read' }),
      'edit',
      { role: 'create', parentRole: 'read', isOrganizationAdmin: false },
    ],
    [
      'a guest of what is inside does not see the collection',
      placed({ userGrant: 'create' }, {}),
      null,
      { role: 'create', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'an admin of one space is no admin of the organization',
      placed({ teamGrants: { t: 'admin' } }),
      'read',
      { role: 'admin', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'an admin of the organization sees all',
      placed({ defaultLevel: null }, { defaultLevel: null }),
      'admin',
      { role: 'admin', parentRole: 'admin', isOrganizationAdmin: true },
    ],
  ])('%s', (_case, object, role, expected) => {
    expect(viewOf(actor({ role, teams: ['t'] }), object)).toEqual(expected)
  })
})

describe('requireGrant', () => {
  it.each(roles)('%s', role => {
    const allowed = [null, ...roles].filter(level => failureOf(() => requireGrant(role, level)) === undefined)
    expect(allowed).toEqual(role === 'admin' ? [null, ...roles] : role === 'create' ? [null, ...roles.slice(0, 5)] : [])
  })
})

describe('requireSettings', () => {
  it.each<[Role, string, Placed, DefaultLevel | undefined, boolean]>([
    ...roles.map(
      role =>
        [role, 'anything', placed({}), undefined, role === 'create' || role === 'admin'] as [
          Role,
          string,
          Placed,
          undefined,
          boolean,
        ],
    ),
    ['create', 'admin for everybody', placed({}), 'admin', false],
    ['create', 'create for everybody', placed({}), 'create', true],
    ['create', 'nothing for everybody', placed({ defaultLevel: 'admin' }), null, true],
    ['create', 'less than what everybody has', placed({ defaultLevel: 'admin' }), 'edit', true],
    ['create', 'the same as it is', placed({ defaultLevel: 'admin' }), 'admin', true],
    ['create', 'what members have', placed({ defaultLevel: null }), 'inherit', true],
    [
      'create',
      'what an admin collection gives',
      placed({ defaultLevel: null }, { defaultLevel: 'admin' }),
      'inherit',
      false,
    ],
    [
      'create',
      'what a collection around an inheriting one gives',
      placed({ defaultLevel: 'read' }, {}, { defaultLevel: 'admin' }),
      'inherit',
      false,
    ],
    [
      'create',
      'what a closed collection gives',
      placed({ defaultLevel: 'read' }, { defaultLevel: null }, { defaultLevel: 'admin' }),
      'inherit',
      true,
    ],
    [
      'create',
      'by name what it inherits already, for the time when it does no more',
      placed({}, { defaultLevel: 'admin' }),
      'admin',
      false,
    ],
    ['create', 'what it inherits already', placed({}, { defaultLevel: 'admin' }), 'inherit', true],
    ['admin', 'admin for everybody', placed({}), 'admin', true],
  ])('%s may give %s: %j to %j', (role, _what, object, next, allowed) => {
    expect(failureOf(() => requireSettings(role, object, next))?.code).toBe(allowed ? undefined : 'forbidden')
  })
})

describe('requireNoRise', () => {
  it.each<[string, Placed, Placed, boolean, boolean]>([
    ['to a place like the one before', placed({}), placed({}, {}), false, true],
    [
      'within a place where everybody has more',
      placed({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      placed({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      false,
      true,
    ],
    [
      'to where everybody has more',
      placed({ userGrant: 'create' }),
      placed({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      false,
      false,
    ],
    [
      'to where everybody has more, of their own',
      placed({ userGrant: 'create' }),
      placed({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      true,
      false,
    ],
    [
      'to where everybody has as much',
      placed({ defaultLevel: 'read', userGrant: 'create' }),
      placed({ userGrant: 'create' }, { defaultLevel: 'create' }),
      false,
      true,
    ],
    ['to where they have more', placed({}), placed({}, { userGrant: 'admin' }), false, false],
    ['to where they have more, of their own', placed({}), placed({}, { userGrant: 'admin' }), true, true],
    ['to where they have less', placed({ userGrant: 'admin' }), placed({}, { userGrant: 'read' }), false, true],
  ])('a creator moves something %s', (_where, before, after, isTheirs, allowed) => {
    expect(
      failureOf(() => requireNoRise(actor({ role: 'create', teams: [] }), { before, after, isTheirs }))?.code,
    ).toBe(allowed ? undefined : 'forbidden')
  })
})

describe('openedBy', () => {
  it('is at most the role of who opens it', () => {
    expect(([null, 'inherit', 'read', 'create', 'admin'] as const).map(level => openedBy('create', level))).toEqual([
      null,
      'inherit',
      'read',
      'create',
      'create',
    ])
  })
})

describe('requireMember', () => {
  it('knows guests and members, and no organization to who is neither', () => {
    expect(requireMember(actor({ role: null, teams: [] }), 'org')).toMatchObject({ role: null })
    expect(failureOf(() => requireMember(actor({ role: 'stranger', teams: [] }), 'org'))).toMatchObject({
      code: 'not_found',
      message: 'There is no such organization',
    })
  })
})
