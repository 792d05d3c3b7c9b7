import { inheritedScenarios } from './inherited.scenarios.ts'
import { closed, inherit, mine, scenario, type Scenario, state, team, who } from './scenario.ts'

/** Cases of a single resource. */
const ownScenarios: Scenario[] = [
  scenario(1, 'an organization admin is admin', state(who('admin'), [inherit], 'admin')),
  scenario(
    2,
    'an organization admin stays admin under a lower default level',
    state(who('admin'), [['read']], 'admin'),
  ),
  scenario(3, 'an organization admin stays admin on what is closed', state(who('admin'), [closed], 'admin')),
  scenario(4, 'an organization admin stays admin with a lower grant', state(who('admin'), [mine('read')], 'admin')),
  scenario(
    5,
    'an organization admin stays admin with a lower grant of a team',
    state(who('admin', 't'), [team({ t: 'comment' })], 'admin'),
  ),
  scenario(
    6,
    'an organization admin stays admin in a closed collection',
    state(who('admin'), [inherit, closed], 'admin'),
  ),
  scenario(
    7,
    'an organization admin stays admin in a collection with a lower grant',
    state(who('admin'), [inherit, mine('read')], 'admin'),
  ),

  scenario(8, 'a stranger has no access', state(who('stranger'), [inherit], null)),
  scenario(9, 'a stranger gets no default level', state(who('stranger'), [['admin']], null)),
  scenario(10, 'a stranger has no access by a grant that remains', state(who('stranger'), [mine('admin')], null)),
  scenario(
    11,
    'a stranger has no access by a grant that remains on a collection',
    state(who('stranger'), [inherit, mine('admin')], null),
  ),
  scenario(
    12,
    'a stranger has no access by a team of another organization',
    state(who('stranger', 't'), [team({ t: 'edit' })], null),
  ),

  scenario(13, 'where nothing is set a reader reads', state(who('read'), [inherit], 'read')),
  scenario(14, 'where nothing is set the organization role counts', state(who('create'), [inherit], 'create')),
  scenario(
    15,
    'where nothing is set it counts in a collection too',
    state(who('comment'), [inherit, inherit], 'comment'),
  ),
  scenario(
    16,
    'where nothing is set it counts five collections deep',
    state(who('review'), [inherit, inherit, inherit, inherit, inherit, inherit], 'review'),
  ),

  scenario(17, 'a default level raises', state(who('read'), [['edit']], 'edit')),
  scenario(18, 'a default level lowers', state(who('create'), [['read']], 'read')),
  scenario(19, 'a default level of admin makes admins', state(who('read'), [['admin']], 'admin')),
  scenario(20, 'null is no access', state(who('create'), [closed], null)),

  scenario(21, 'a grant raises', state(who('read'), [mine('review')], 'review')),
  scenario(22, 'a grant lowers', state(who('create'), [mine('read')], 'read')),
  scenario(23, 'a grant equal to the organization role changes nothing', state(who('edit'), [mine('edit')], 'edit')),
  scenario(24, 'a grant beats a higher default level', state(who('read'), [mine('comment', 'create')], 'comment')),
  scenario(25, 'a grant beats a lower default level', state(who('read'), [mine('create', 'comment')], 'create')),
  scenario(26, 'a grant opens what is closed', state(who('read'), [mine('read', null)], 'read')),
  scenario(
    27,
    'a grant to somebody else gives nothing',
    state(who('read'), [['inherit', { others: { bob: 'admin' } }]], 'read'),
  ),
  scenario(
    28,
    'a grant to somebody else opens nothing',
    state(who('create'), [[null, { others: { bob: 'read' } }]], null),
  ),

  scenario(29, 'a grant to a team raises', state(who('read', 't'), [team({ t: 'edit' })], 'edit')),
  scenario(30, 'a grant to a team lowers', state(who('create', 't'), [team({ t: 'comment' })], 'comment')),
  scenario(
    31,
    'the highest of two teams counts',
    state(who('read', 't', 'u'), [team({ t: 'edit', u: 'review' })], 'review'),
  ),
  scenario(
    32,
    'the highest of two teams counts in any order',
    state(who('read', 'u', 't'), [team({ u: 'review', t: 'edit' })], 'review'),
  ),
  scenario(
    33,
    'the highest of three teams counts, not the first by name',
    state(who('read', 't', 'u', 'v'), [team({ t: 'comment', u: 'create', v: 'read' })], 'create'),
  ),
  scenario(
    34,
    'review is above edit for teams',
    state(who('read', 't', 'u'), [team({ t: 'review', u: 'edit' })], 'review'),
  ),
  scenario(
    35,
    'two teams with the same role give that role',
    state(who('read', 't', 'u'), [team({ t: 'edit', u: 'edit' })], 'edit'),
  ),
  scenario(
    36,
    'a team one is not in gives nothing',
    state(who('read', 't'), [team({ t: 'comment', other: 'admin' })], 'comment'),
  ),
  scenario(
    37,
    'a grant to a team beats a higher default level',
    state(who('read', 't'), [team({ t: 'read' }, 'create')], 'read'),
  ),
  scenario(
    38,
    'a grant to a team opens what is closed',
    state(who('read', 't'), [team({ t: 'review' }, null)], 'review'),
  ),
  scenario(
    39,
    'the highest of the teams counts though it is below the default level',
    state(who('create', 't', 'u'), [team({ t: 'read', u: 'comment' }, 'edit')], 'comment'),
  ),

  scenario(
    40,
    'a grant to the user beats a higher one to their team',
    state(who('read', 't'), [['inherit', { me: 'comment', teams: { t: 'create' } }]], 'comment'),
  ),
  scenario(
    41,
    'a grant to the user beats a lower one to their team',
    state(who('read', 't'), [['inherit', { me: 'create', teams: { t: 'comment' } }]], 'create'),
  ),
  scenario(
    42,
    'a grant to the user beats all of their teams on what is closed',
    state(who('edit', 't', 'u'), [[null, { me: 'read', teams: { t: 'admin', u: 'edit' } }]], 'read'),
  ),
]

/** The cases of the access policy. Every test of the policy reads this table. */
export const scenarios: Scenario[] = [...ownScenarios, ...inheritedScenarios]
