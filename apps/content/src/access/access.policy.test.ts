import { roles, type Actor, type Role } from '@recto/actor'
import { failureOf } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import {
  type AclGrants,
  capDefaultLevel,
  type DefaultLevel,
  effectiveRole,
  requireCanGrant,
  requireNoEscalation,
  requireCanSetDefaultLevel,
  resolveAccess,
  type ResourceWithAcl,
} from './access.policy.ts'
import { scenarios } from '../test/access/access.scenarios.ts'
import type { State, Who } from '../test/access/scenario.ts'

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
  it.each(scenarios)('effectiveRole, case $number: $says', ({ was, ...is }) => {
    if (was) expect(roleIn(was)).toBe(was.role)
    expect(roleIn(is)).toBe(is.role)
  })

  it('effectiveRole is tested by at least sixty cases, each once, in the order of their numbers', () => {
    expect(scenarios.map(({ number }) => number)).toEqual(scenarios.map((_, at) => at + 1))
    expect(new Set(scenarios.map(({ says }) => says)).size).toBe(scenarios.length)
    expect(scenarios.length).toBeGreaterThanOrEqual(60)
  })

  it('effectiveRole ignores names of Object.prototype', () => {
    expect(
      effectiveRole(actor({ role: 'read', teams: ['constructor'] }), 'org', [
        { id: 'space', defaultLevel: 'inherit', users: {}, teams: {} },
      ]),
    ).toBe('read')
  })
})

const nothing: AclGrants = { id: 'nothing', defaultLevel: 'inherit', userGrant: null, teamGrants: null }
const withAcl = (own: Partial<AclGrants>, ...above: Partial<AclGrants>[]): ResourceWithAcl => ({
  ...nothing,
  ...own,
  organizationId: 'org',
  above: above.length > 0 ? above.map(granted => ({ ...nothing, ...granted })) : null,
})

describe('resolveAccess for a token that is limited', () => {
  const inside = withAcl({ id: 'space' }, { id: 'inner' }, { id: 'outer' })
  const none = { role: null, parentRole: null, isOrganizationAdmin: false }
  it.each<[string, Partial<Actor['limitedTo']>, ReturnType<typeof resolveAccess>]>([
    [
      'to the object, it has the role of its owner, and hides what is around',
      { spaces: ['space'] },
      { ...none, role: 'admin' },
    ],
    [
      'to the collection around, it has the role on both',
      { collections: ['inner'] },
      { ...none, role: 'admin', parentRole: 'admin' },
    ],
    ['to a collection above, likewise', { collections: ['outer'] }, { ...none, role: 'admin', parentRole: 'admin' }],
    ['to others, it has none', { spaces: ['another'], collections: ['other'], sites: ['site'] }, none],
    ['to nothing, it has none', {}, none],
  ])('%s', (_name, limits, access) => {
    const limitedTo = { spaces: [], collections: [], sites: [], ...limits }
    expect(resolveAccess({ ...actor({ role: 'admin', teams: [] }), limitedTo }, inside)).toEqual(access)
  })
})

describe('resolveAccess', () => {
  it.each<[string, ResourceWithAcl, Role | null, ReturnType<typeof resolveAccess>]>([
    [
      'an object at the root has no inherited role',
      withAcl({}),
      'edit',
      { role: 'edit', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'an object in a collection inherits the role on the collection',
      withAcl({ userGrant: 'create' }, { defaultLevel: 'read' }),
      'edit',
      { role: 'create', parentRole: 'read', isOrganizationAdmin: false },
    ],
    [
      'a guest with a role on a nested object cannot read the collection',
      withAcl({ userGrant: 'create' }, {}),
      null,
      { role: 'create', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'an admin of one space is no admin of the organization',
      withAcl({ teamGrants: { t: 'admin' } }),
      'read',
      { role: 'admin', parentRole: null, isOrganizationAdmin: false },
    ],
    [
      'an admin of the organization sees all',
      withAcl({ defaultLevel: null }, { defaultLevel: null }),
      'admin',
      { role: 'admin', parentRole: 'admin', isOrganizationAdmin: true },
    ],
  ])('resolveAccess: %s', (_case, object, role, expected) => {
    expect(resolveAccess(actor({ role, teams: ['t'] }), object)).toEqual(expected)
  })
})

describe('requireCanGrant', () => {
  it.each(roles)('requireCanGrant lets the role %s grant only roles up to its own, and only from create on', role => {
    const allowed = [null, ...roles].filter(level => failureOf(() => requireCanGrant(role, level)) === undefined)
    expect(allowed).toEqual(role === 'admin' ? [null, ...roles] : role === 'create' ? [null, ...roles.slice(0, 5)] : [])
  })
})

describe('requireCanSetDefaultLevel', () => {
  it.each<[Role, string, ResourceWithAcl, DefaultLevel | undefined, boolean]>([
    ...roles.map(
      role =>
        [role, 'anything', withAcl({}), undefined, role === 'create' || role === 'admin'] as [
          Role,
          string,
          ResourceWithAcl,
          undefined,
          boolean,
        ],
    ),
    ['create', 'admin for everybody', withAcl({}), 'admin', false],
    ['create', 'create for everybody', withAcl({}), 'create', true],
    ['create', 'nothing for everybody', withAcl({ defaultLevel: 'admin' }), null, true],
    ['create', 'less than what everybody has', withAcl({ defaultLevel: 'admin' }), 'edit', true],
    ['create', 'the same as it is', withAcl({ defaultLevel: 'admin' }), 'admin', true],
    ['create', 'what members have', withAcl({ defaultLevel: null }), 'inherit', true],
    [
      'create',
      'the role inherited from a collection with the default level admin',
      withAcl({ defaultLevel: null }, { defaultLevel: 'admin' }),
      'inherit',
      false,
    ],
    [
      'create',
      'the role inherited through an inheriting collection',
      withAcl({ defaultLevel: 'read' }, {}, { defaultLevel: 'admin' }),
      'inherit',
      false,
    ],
    [
      'create',
      'the role inherited from a closed collection',
      withAcl({ defaultLevel: 'read' }, { defaultLevel: null }, { defaultLevel: 'admin' }),
      'inherit',
      true,
    ],
    [
      'create',
      'by name what it inherits already, for the time when it does no more',
      withAcl({}, { defaultLevel: 'admin' }),
      'admin',
      false,
    ],
    ['create', 'what it inherits already', withAcl({}, { defaultLevel: 'admin' }), 'inherit', true],
    ['admin', 'admin for everybody', withAcl({}), 'admin', true],
  ])(
    'requireCanSetDefaultLevel knows whether the role %s may set the default level to %s: %j to %j',
    (role, _what, object, next, allowed) => {
      expect(failureOf(() => requireCanSetDefaultLevel(role, object, next))?.code).toBe(
        allowed ? undefined : 'forbidden',
      )
    },
  )
})

describe('requireNoEscalation', () => {
  it.each<[string, ResourceWithAcl, ResourceWithAcl, boolean, boolean]>([
    ['to a place like the one before', withAcl({}), withAcl({}, {}), false, true],
    [
      'within a place where everybody has more',
      withAcl({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      withAcl({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      false,
      true,
    ],
    [
      'to where everybody has more',
      withAcl({ userGrant: 'create' }),
      withAcl({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      false,
      false,
    ],
    [
      'to where everybody has more, of their own',
      withAcl({ userGrant: 'create' }),
      withAcl({ userGrant: 'create' }, { defaultLevel: 'admin' }),
      true,
      false,
    ],
    [
      'to where everybody has as much',
      withAcl({ defaultLevel: 'read', userGrant: 'create' }),
      withAcl({ userGrant: 'create' }, { defaultLevel: 'create' }),
      false,
      true,
    ],
    ['to where they have more', withAcl({}), withAcl({}, { userGrant: 'admin' }), false, false],
    ['to where they have more, of their own', withAcl({}), withAcl({}, { userGrant: 'admin' }), true, true],
    ['to where they have less', withAcl({ userGrant: 'admin' }), withAcl({}, { userGrant: 'read' }), false, true],
  ])(
    'requireNoEscalation knows whether a creator may move something %s',
    (_where, before, after, isCreator, allowed) => {
      expect(
        failureOf(() => requireNoEscalation(actor({ role: 'create', teams: [] }), { before, after, isCreator }))?.code,
      ).toBe(allowed ? undefined : 'forbidden')
    },
  )
})

describe('capDefaultLevel', () => {
  it('capDefaultLevel returns at most the role of the caller', () => {
    expect(
      ([null, 'inherit', 'read', 'create', 'admin'] as const).map(level => capDefaultLevel('create', level)),
    ).toEqual([null, 'inherit', 'read', 'create', 'create'])
  })
})
