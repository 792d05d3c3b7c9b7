import type { Role } from '@recto/operation'
import type { Level } from './access.policy.ts'

/** Who asks: `me`, with a role in the organization and teams there; a null role is a guest, `stranger` belongs elsewhere. */
export interface Who {
  role: Role | null | 'stranger'
  teams: string[]
}

/** An object on its way up: its own level first, then those of the collections it is in. */
export interface State {
  who: Who
  path: Level[]
  role: Role | null
}

/** A numbered case of the rule; `was` is how things stood before a move or a transfer. */
export interface Scenario extends State {
  number: number
  says: string
  was?: State
}

type Sketch = readonly [defaultLevel: Level['defaultLevel'], grants?: { me?: Role; others?: Record<string, Role>; teams?: Record<string, Role> }]

const who = (role: Who['role'], ...teams: string[]): Who => ({ role, teams })
const level = ([defaultLevel, { me, others = {}, teams = {} } = {}]: Sketch): Level => ({ defaultLevel, users: { ...others, ...(me && { me }) }, teams })
const state = (asks: Who, path: Sketch[], role: Role | null): State => ({ who: asks, path: path.map(level), role })
const scenario = (number: number, says: string, ...[is, was]: [is: State, was?: State]): Scenario => ({ number, says, ...is, ...(was && { was }) })

const inherit: Sketch = ['inherit']
const closed: Sketch = [null]
const mine = (role: Role, defaultLevel: Level['defaultLevel'] = 'inherit'): Sketch => [defaultLevel, { me: role }]
const team = (teams: Record<string, Role>, defaultLevel: Level['defaultLevel'] = 'inherit'): Sketch => [defaultLevel, { teams }]

/** The rule of roles on content, case by case. Every test of it reads this table. */
export const scenarios: Scenario[] = [
  scenario(1, 'an organization admin is admin', state(who('admin'), [inherit], 'admin')),
  scenario(2, 'an organization admin stays admin under a lower default level', state(who('admin'), [['read']], 'admin')),
  scenario(3, 'an organization admin stays admin on what is closed', state(who('admin'), [closed], 'admin')),
  scenario(4, 'an organization admin stays admin with a lower grant', state(who('admin'), [mine('read')], 'admin')),
  scenario(5, 'an organization admin stays admin with a lower grant of a team', state(who('admin', 't'), [team({ t: 'comment' })], 'admin')),
  scenario(6, 'an organization admin stays admin in a closed collection', state(who('admin'), [inherit, closed], 'admin')),
  scenario(7, 'an organization admin stays admin in a collection with a lower grant', state(who('admin'), [inherit, mine('read')], 'admin')),

  scenario(8, 'a stranger has no access', state(who('stranger'), [inherit], null)),
  scenario(9, 'a stranger gets no default level', state(who('stranger'), [['admin']], null)),
  scenario(10, 'a stranger has no access by a grant that remains', state(who('stranger'), [mine('admin')], null)),
  scenario(11, 'a stranger has no access by a grant that remains on a collection', state(who('stranger'), [inherit, mine('admin')], null)),
  scenario(12, 'a stranger has no access by a team of another organization', state(who('stranger', 't'), [team({ t: 'edit' })], null)),

  scenario(13, 'where nothing is set a reader reads', state(who('read'), [inherit], 'read')),
  scenario(14, 'where nothing is set the organization role counts', state(who('create'), [inherit], 'create')),
  scenario(15, 'where nothing is set it counts in a collection too', state(who('comment'), [inherit, inherit], 'comment')),
  scenario(16, 'where nothing is set it counts five collections deep', state(who('review'), [inherit, inherit, inherit, inherit, inherit, inherit], 'review')),

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
  scenario(27, 'a grant to somebody else gives nothing', state(who('read'), [['inherit', { others: { bob: 'admin' } }]], 'read')),
  scenario(28, 'a grant to somebody else opens nothing', state(who('create'), [[null, { others: { bob: 'read' } }]], null)),

  scenario(29, 'a grant to a team raises', state(who('read', 't'), [team({ t: 'edit' })], 'edit')),
  scenario(30, 'a grant to a team lowers', state(who('create', 't'), [team({ t: 'comment' })], 'comment')),
  scenario(31, 'the highest of two teams counts', state(who('read', 't', 'u'), [team({ t: 'edit', u: 'review' })], 'review')),
  scenario(32, 'the highest of two teams counts in any order', state(who('read', 'u', 't'), [team({ u: 'review', t: 'edit' })], 'review')),
  scenario(33, 'the highest of three teams counts, not the first by name', state(who('read', 't', 'u', 'v'), [team({ t: 'comment', u: 'create', v: 'read' })], 'create')),
  scenario(34, 'review is above edit for teams', state(who('read', 't', 'u'), [team({ t: 'review', u: 'edit' })], 'review')),
  scenario(35, 'two teams with the same role give that role', state(who('read', 't', 'u'), [team({ t: 'edit', u: 'edit' })], 'edit')),
  scenario(36, 'a team one is not in gives nothing', state(who('read', 't'), [team({ t: 'comment', other: 'admin' })], 'comment')),
  scenario(37, 'a grant to a team beats a higher default level', state(who('read', 't'), [team({ t: 'read' }, 'create')], 'read')),
  scenario(38, 'a grant to a team opens what is closed', state(who('read', 't'), [team({ t: 'review' }, null)], 'review')),
  scenario(39, 'the highest of the teams counts though it is below the default level', state(who('create', 't', 'u'), [team({ t: 'read', u: 'comment' }, 'edit')], 'comment')),

  scenario(40, 'a grant to the user beats a higher one to their team', state(who('read', 't'), [['inherit', { me: 'comment', teams: { t: 'create' } }]], 'comment')),
  scenario(41, 'a grant to the user beats a lower one to their team', state(who('read', 't'), [['inherit', { me: 'create', teams: { t: 'comment' } }]], 'create')),
  scenario(42, 'a grant to the user beats all of their teams on what is closed', state(who('edit', 't', 'u'), [[null, { me: 'read', teams: { t: 'admin', u: 'edit' } }]], 'read')),

  scenario(43, 'inherit goes up to a grant on the collection', state(who('read'), [inherit, mine('edit')], 'edit')),
  scenario(44, 'inherit goes up to a grant to a team on the collection', state(who('read', 't'), [inherit, team({ t: 'review' })], 'review')),
  scenario(45, 'inherit goes up to the default level of the collection', state(who('read'), [inherit, ['create']], 'create')),
  scenario(46, 'inherit in a closed collection is no access', state(who('create'), [inherit, closed], null)),
  scenario(47, 'a default level opens what lies in a closed collection', state(who('read'), [['comment'], closed], 'comment')),
  scenario(48, 'a default level stops before a grant above', state(who('read'), [['comment'], mine('admin')], 'comment')),
  scenario(49, 'null stops before a grant above', state(who('read'), [closed, mine('admin')], null)),
  scenario(50, 'the nearer of two grants counts, though it is lower', state(who('read'), [mine('read'), mine('admin')], 'read')),
  scenario(51, 'a grant to a team beats one to the user further up', state(who('read', 't'), [team({ t: 'comment' }), mine('create')], 'comment')),
  scenario(52, 'a grant to the user beats a team on the same collection', state(who('read', 't'), [inherit, ['inherit', { me: 'edit', teams: { t: 'create' } }]], 'edit')),
  scenario(53, 'a grant opens what lies in a closed collection', state(who('read'), [mine('edit'), closed], 'edit')),
  scenario(54, 'two inherits go two levels up', state(who('read'), [inherit, inherit, mine('review')], 'review')),
  scenario(55, 'the default level of the nearer collection stops before a grant on the further one', state(who('read'), [inherit, ['comment'], mine('admin')], 'comment')),
  scenario(56, 'a closed collection stops before a grant on the one around it', state(who('edit'), [inherit, closed, mine('admin')], null)),
  scenario(57, 'a grant on a closed collection opens what inherits from it', state(who('read'), [inherit, mine('comment', null)], 'comment')),
  scenario(58, 'five collections deep only the outermost says something', state(who('read'), [inherit, inherit, inherit, inherit, inherit, mine('edit')], 'edit')),
  scenario(59, 'five collections deep the nearest that says something counts', state(who('read'), [inherit, inherit, mine('comment'), mine('edit'), ['create'], closed], 'comment')),
  scenario(60, 'a grant to somebody else does not stop the walk', state(who('read'), [['inherit', { others: { bob: 'read' } }], mine('edit')], 'edit')),
  scenario(61, 'a grant to a team one is not in does not stop the walk', state(who('read', 't'), [team({ other: 'read' }), team({ t: 'edit' })], 'edit')),
  scenario(62, 'teams with different roles on different levels: the nearer counts', state(who('read', 't', 'u'), [team({ t: 'comment' }), team({ u: 'create' })], 'comment')),

  scenario(63, 'a guest sees nothing that was not granted', state(who(null), [inherit], null)),
  scenario(64, 'a guest gets no default level', state(who(null), [['admin']], null)),
  scenario(65, 'a guest gets no default level of a collection', state(who(null), [inherit, ['edit']], null)),
  scenario(66, 'a guest has the role of a grant', state(who(null), [mine('comment')], 'comment')),
  scenario(67, 'a guest has the role of a grant to a team', state(who(null, 't'), [team({ t: 'read' })], 'read')),
  scenario(68, 'a guest has the highest role of their teams', state(who(null, 't', 'u'), [team({ t: 'read', u: 'edit' })], 'edit')),
  scenario(69, 'a guest has the role of a grant on what is closed', state(who(null), [mine('read', null)], 'read')),
  scenario(70, 'a guest has in a collection the role of a grant on it', state(who(null), [inherit, mine('create')], 'create')),
  scenario(71, 'a guest has it two collections deep', state(who(null, 't'), [inherit, inherit, team({ t: 'review' })], 'review')),
  scenario(72, 'a guest of a collection does not see what is closed in it', state(who(null), [closed, mine('admin')], null)),
  scenario(73, 'a guest of a collection does not see what has a default level, which is for members', state(who(null), [['read'], mine('admin')], null)),
  scenario(74, 'a guest of a space in a closed collection sees the space', state(who(null), [mine('edit'), closed], 'edit')),
  scenario(75, 'a guest with a lower grant inside has the lower role', state(who(null), [mine('read'), mine('create')], 'read')),

  scenario(76, 'the creator of what is closed is its admin', state(who('create'), [mine('admin', null)], 'admin')),
  scenario(77, 'the creator stays its admin with a lower organization role', state(who('read'), [mine('admin', null)], 'admin')),
  scenario(78, 'the creator stays its admin as a guest', state(who(null), [mine('admin', null)], 'admin')),
  scenario(79, 'the creator who left has no access', state(who('stranger'), [mine('admin', null)], null)),
  scenario(80, 'others who might create do not see what somebody has closed', state(who('create'), [[null, { others: { bob: 'admin' } }]], null)),

  scenario(81, 'moved out of a closed collection it is seen by organization role', state(who('edit'), [inherit], 'edit'), state(who('edit'), [inherit, closed], null)),
  scenario(82, 'moved into a closed collection it is seen no more', state(who('edit'), [inherit, closed], null), state(who('edit'), [inherit], 'edit')),
  scenario(83, 'moved, it takes its own grants along', state(who('read'), [mine('review'), closed], 'review'), state(who('read'), [mine('review'), inherit], 'review')),
  scenario(84, 'moved, it stays closed', state(who('create'), [closed, ['admin']], null), state(who('create'), [closed], null)),
  scenario(85, 'moved, it leaves the grants of the collection behind', state(who('read'), [inherit, inherit], 'read'), state(who('read'), [inherit, mine('create')], 'create')),
  scenario(86, 'moved, it gets the grants of the new collection', state(who('create', 't'), [inherit, team({ t: 'comment' })], 'comment'), state(who('create', 't'), [inherit], 'create')),
  scenario(87, 'moved out of a collection it is lost to a guest of that', state(who(null), [inherit], null), state(who(null), [inherit, mine('edit')], 'edit')),
  scenario(88, 'moved with the collection it is in, it has what is above that', state(who('read'), [inherit, inherit, ['create']], 'create'), state(who('read'), [inherit, inherit, closed], null)),

  scenario(89, 'transferred, it is lost to who is not in the new organization', state(who('stranger'), [inherit], null), state(who('edit'), [mine('create')], 'create')),
  scenario(90, 'transferred, a member of both keeps their grant', state(who('read'), [mine('create')], 'create'), state(who('edit'), [mine('create')], 'create')),
  scenario(91, 'transferred, it has no grants of the old teams', state(who('read'), [inherit], 'read'), state(who('read', 't'), [team({ t: 'create' })], 'create')),
  scenario(92, 'transferred, an admin of the old organization who is a guest of the new one loses it', state(who(null), [inherit], null), state(who('admin'), [inherit], 'admin')),
  scenario(93, 'transferred, it keeps its default level', state(who('create'), [['read']], 'read'), state(who('create'), [['read']], 'read')),
  scenario(94, 'transferred, it is under the admins of the new organization', state(who('admin'), [closed], 'admin'), state(who('stranger'), [closed], null)),
]
