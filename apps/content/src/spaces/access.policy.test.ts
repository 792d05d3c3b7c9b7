import type { Actor, Role } from '@recto/operation'
import { describe, expect, it } from 'vitest'
import { effectiveRole, type Level } from './access.policy.ts'

const member = (role: Role | null | undefined, teams: string[] = []): Actor => ({
  userId: 'me',
  platformAdmin: false,
  scopes: [],
  memberships: role === undefined ? [] : [{ organization: 'org', role, teams }],
})
const level = (defaultLevel: Level['defaultLevel'], grants: Partial<Level> = {}): Level => ({ defaultLevel, users: {}, teams: {}, ...grants })

describe('effectiveRole', () => {
  it.each<[string, Actor, Level[], Role | null]>([
    ['organization admin keeps admin, whatever is set', member('admin'), [level(null, { users: { me: 'read' } })], 'admin'],
    ['inherit falls through to the organization role', member('edit'), [level('inherit')], 'edit'],
    ['a default level replaces the organization role', member('edit'), [level('read')], 'read'],
    ['a default level of null is no access', member('create'), [level(null)], null],
    ['a grant to the user beats the default level', member('read'), [level(null, { users: { me: 'review' } })], 'review'],
    ['a grant to the user beats a higher one to a team', member('read', ['t']), [level('inherit', { users: { me: 'comment' }, teams: { t: 'create' } })], 'comment'],
    ['the highest of several team grants', member('read', ['t', 'u']), [level('inherit', { teams: { t: 'edit', u: 'review', v: 'admin' } })], 'review'],
    ['the nearest level wins over one above', member('read'), [level('inherit', { users: { me: 'read' } }), level('inherit', { users: { me: 'admin' } })], 'read'],
    ['inherit goes one level up', member('read'), [level('inherit'), level('create')], 'create'],
    ['null stops the walk', member('read'), [level(null), level('create', { users: { me: 'admin' } })], null],
    ['a guest sees nothing without a grant', member(null), [level('inherit')], null],
    ['a guest does not get a default level', member(null), [level('read')], null],
    ['a guest sees what is granted', member(null), [level('inherit', { users: { me: 'comment' } })], 'comment'],
    ['a stranger sees nothing', member(undefined), [level('inherit')], null],
    ['names of Object.prototype are no grants', member('read', ['constructor']), [level('inherit')], 'read'],
  ])('%s', (_case, actor, levels, expected) => {
    expect(effectiveRole(actor, 'org', levels)).toBe(expected)
  })
})
