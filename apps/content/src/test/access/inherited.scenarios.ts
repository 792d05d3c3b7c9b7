import { closed, inherit, mine, scenario, type Scenario, state, team, who } from './scenario.ts'

/** Cases of inheritance from collections, and of moves and transfers. */
export const inheritedScenarios: Scenario[] = [
  scenario(43, 'inherit goes up to a grant on the collection', state(who('read'), [inherit, mine('edit')], 'edit')),
  scenario(
    44,
    'inherit goes up to a grant to a team on the collection',
    state(who('read', 't'), [inherit, team({ t: 'review' })], 'review'),
  ),
  scenario(
    45,
    'inherit goes up to the default level of the collection',
    state(who('read'), [inherit, ['create']], 'create'),
  ),
  scenario(46, 'inherit in a closed collection is no access', state(who('create'), [inherit, closed], null)),
  scenario(
    47,
    'a default level opens what lies in a closed collection',
    state(who('read'), [['comment'], closed], 'comment'),
  ),
  scenario(
    48,
    'a default level stops before a grant above',
    state(who('read'), [['comment'], mine('admin')], 'comment'),
  ),
  scenario(49, 'null stops before a grant above', state(who('read'), [closed, mine('admin')], null)),
  scenario(
    50,
    'the nearer of two grants counts, though it is lower',
    state(who('read'), [mine('read'), mine('admin')], 'read'),
  ),
  scenario(
    51,
    'a grant to a team beats one to the user further up',
    state(who('read', 't'), [team({ t: 'comment' }), mine('create')], 'comment'),
  ),
  scenario(
    52,
    'a grant to the user beats a team on the same collection',
    state(who('read', 't'), [inherit, ['inherit', { me: 'edit', teams: { t: 'create' } }]], 'edit'),
  ),
  scenario(53, 'a grant opens what lies in a closed collection', state(who('read'), [mine('edit'), closed], 'edit')),
  scenario(54, 'two inherits go two levels up', state(who('read'), [inherit, inherit, mine('review')], 'review')),
  scenario(
    55,
    'the default level of the nearer collection stops before a grant on the further one',
    state(who('read'), [inherit, ['comment'], mine('admin')], 'comment'),
  ),
  scenario(
    56,
    'a closed collection stops before a grant on the one around it',
    state(who('edit'), [inherit, closed, mine('admin')], null),
  ),
  scenario(
    57,
    'a grant on a closed collection opens what inherits from it',
    state(who('read'), [inherit, mine('comment', null)], 'comment'),
  ),
  scenario(
    58,
    'five collections deep only the outermost says something',
    state(who('read'), [inherit, inherit, inherit, inherit, inherit, mine('edit')], 'edit'),
  ),
  scenario(
    59,
    'five collections deep the nearest that says something counts',
    state(who('read'), [inherit, inherit, mine('comment'), mine('edit'), ['create'], closed], 'comment'),
  ),
  scenario(
    60,
    'a grant to somebody else does not stop the walk',
    state(who('read'), [['inherit', { others: { bob: 'read' } }], mine('edit')], 'edit'),
  ),
  scenario(
    61,
    'a grant to a team one is not in does not stop the walk',
    state(who('read', 't'), [team({ other: 'read' }), team({ t: 'edit' })], 'edit'),
  ),
  scenario(
    62,
    'teams with different roles on different levels: the nearer counts',
    state(who('read', 't', 'u'), [team({ t: 'comment' }), team({ u: 'create' })], 'comment'),
  ),

  scenario(63, 'a guest sees nothing that was not granted', state(who(null), [inherit], null)),
  scenario(64, 'a guest gets no default level', state(who(null), [['admin']], null)),
  scenario(65, 'a guest gets no default level of a collection', state(who(null), [inherit, ['edit']], null)),
  scenario(66, 'a guest has the role of a grant', state(who(null), [mine('comment')], 'comment')),
  scenario(67, 'a guest has the role of a grant to a team', state(who(null, 't'), [team({ t: 'read' })], 'read')),
  scenario(
    68,
    'a guest has the highest role of their teams',
    state(who(null, 't', 'u'), [team({ t: 'read', u: 'edit' })], 'edit'),
  ),
  scenario(69, 'a guest has the role of a grant on what is closed', state(who(null), [mine('read', null)], 'read')),
  scenario(
    70,
    'a guest has in a collection the role of a grant on it',
    state(who(null), [inherit, mine('create')], 'create'),
  ),
  scenario(
    71,
    'a guest has it two collections deep',
    state(who(null, 't'), [inherit, inherit, team({ t: 'review' })], 'review'),
  ),
  scenario(
    72,
    'a guest of a collection does not see what is closed in it',
    state(who(null), [closed, mine('admin')], null),
  ),
  scenario(
    73,
    'a guest of a collection does not see what has a default level, which is for members',
    state(who(null), [['read'], mine('admin')], null),
  ),
  scenario(
    74,
    'a guest of a space in a closed collection sees the space',
    state(who(null), [mine('edit'), closed], 'edit'),
  ),
  scenario(
    75,
    'a guest with a lower grant inside has the lower role',
    state(who(null), [mine('read'), mine('create')], 'read'),
  ),

  scenario(76, 'the creator of what is closed is its admin', state(who('create'), [mine('admin', null)], 'admin')),
  scenario(
    77,
    'the creator stays its admin with a lower organization role',
    state(who('read'), [mine('admin', null)], 'admin'),
  ),
  scenario(78, 'the creator stays its admin as a guest', state(who(null), [mine('admin', null)], 'admin')),
  scenario(79, 'the creator who left has no access', state(who('stranger'), [mine('admin', null)], null)),
  scenario(
    80,
    'others who might create do not see what somebody has closed',
    state(who('create'), [[null, { others: { bob: 'admin' } }]], null),
  ),

  scenario(
    81,
    'moved out of a closed collection it is seen by organization role',
    state(who('edit'), [inherit], 'edit'),
    state(who('edit'), [inherit, closed], null),
  ),
  scenario(
    82,
    'moved into a closed collection it is seen no more',
    state(who('edit'), [inherit, closed], null),
    state(who('edit'), [inherit], 'edit'),
  ),
  scenario(
    83,
    'moved, it takes its own grants along',
    state(who('read'), [mine('review'), closed], 'review'),
    state(who('read'), [mine('review'), inherit], 'review'),
  ),
  scenario(
    84,
    'moved, it stays closed',
    state(who('create'), [closed, ['admin']], null),
    state(who('create'), [closed], null),
  ),
  scenario(
    85,
    'moved, it leaves the grants of the collection behind',
    state(who('read'), [inherit, inherit], 'read'),
    state(who('read'), [inherit, mine('create')], 'create'),
  ),
  scenario(
    86,
    'moved, it gets the grants of the new collection',
    state(who('create', 't'), [inherit, team({ t: 'comment' })], 'comment'),
    state(who('create', 't'), [inherit], 'create'),
  ),
  scenario(
    87,
    'moved out of a collection it is lost to a guest of that',
    state(who(null), [inherit], null),
    state(who(null), [inherit, mine('edit')], 'edit'),
  ),
  scenario(
    88,
    'moved with the collection it is in, it has what is above that',
    state(who('read'), [inherit, inherit, ['create']], 'create'),
    state(who('read'), [inherit, inherit, closed], null),
  ),

  scenario(
    89,
    'transferred, it is lost to who is not in the new organization',
    state(who('stranger'), [inherit], null),
    state(who('edit'), [mine('create')], 'create'),
  ),
  scenario(
    90,
    'transferred, a member of both keeps their grant',
    state(who('read'), [mine('create')], 'create'),
    state(who('edit'), [mine('create')], 'create'),
  ),
  scenario(
    91,
    'transferred, it has no grants of the old teams',
    state(who('read'), [inherit], 'read'),
    state(who('read', 't'), [team({ t: 'create' })], 'create'),
  ),
  scenario(
    92,
    'transferred, an admin of the old organization who is a guest of the new one loses it',
    state(who(null), [inherit], null),
    state(who('admin'), [inherit], 'admin'),
  ),
  scenario(
    93,
    'transferred, it keeps its default level',
    state(who('create'), [['read']], 'read'),
    state(who('create'), [['read']], 'read'),
  ),
  scenario(
    94,
    'transferred, it is under the admins of the new organization',
    state(who('admin'), [closed], 'admin'),
    state(who('stranger'), [closed], null),
  ),
]
