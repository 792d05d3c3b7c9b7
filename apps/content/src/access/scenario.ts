import type { Role } from '@recto/actor'
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

export type Sketch = readonly [
  defaultLevel: Level['defaultLevel'],
  grants?: { me?: Role; others?: Record<string, Role>; teams?: Record<string, Role> },
]

export const who = (role: Who['role'], ...teams: string[]): Who => ({ role, teams })
const level = ([defaultLevel, { me, others = {}, teams = {} } = {}]: Sketch): Level => ({
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
export const mine = (role: Role, defaultLevel: Level['defaultLevel'] = 'inherit'): Sketch => [
  defaultLevel,
  { me: role },
]
export const team = (teams: Record<string, Role>, defaultLevel: Level['defaultLevel'] = 'inherit'): Sketch => [
  defaultLevel,
  { teams },
]
