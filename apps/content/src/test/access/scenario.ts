import type { Role } from '@recto/actor'
import type { AclEntry } from '../../access/access.policy.ts'

/** The caller (`me`), with a role in the organization and teams there; a null role is a guest, `stranger` is in another organization. */
export interface Who {
  role: Role | null | 'stranger'
  teams: string[]
}

/** The ACL chain of a resource: its own entry first, then those of the collections it is in; and the caller's expected role. */
export interface State {
  who: Who
  path: AclEntry[]
  role: Role | null
}

/** A numbered case of the policy; `was` is the state before a move or a transfer. */
export interface Scenario extends State {
  number: number
  says: string
  was?: State
}

export type Sketch = readonly [
  defaultLevel: AclEntry['defaultLevel'],
  grants?: { me?: Role; others?: Record<string, Role>; teams?: Record<string, Role> },
]

export const who = (role: Who['role'], ...teams: string[]): Who => ({ role, teams })
const level = ([defaultLevel, { me, others = {}, teams = {} } = {}]: Sketch): AclEntry => ({
  id: 'level',
  defaultLevel,
  users: { ...others, ...(me && { me }) },
  teams,
})
export const state = (asks: Who, path: Sketch[], role: Role | null): State => ({
  who: asks,
  path: path.map(level),
  role,
})
export const scenario = (number: number, says: string, ...[is, was]: [is: State, was?: State]): Scenario => ({
  number,
  says,
  ...is,
  ...(was && { was }),
})

export const inherit: Sketch = ['inherit']
export const closed: Sketch = [null]
export const mine = (role: Role, defaultLevel: AclEntry['defaultLevel'] = 'inherit'): Sketch => [
  defaultLevel,
  { me: role },
]
export const team = (teams: Record<string, Role>, defaultLevel: AclEntry['defaultLevel'] = 'inherit'): Sketch => [
  defaultLevel,
  { teams },
]
