import { z } from 'zod'
import { Id, Timestamp } from './conventions.ts'
import { permissionsOf, teamRights } from './rights.ts'

/** A user's role in a team. */
export const TeamRole = z
  .enum(['owner', 'member'])
  .meta({ id: 'TeamRole', description: 'Role in a team; an owner manages its members' })

/** A user's membership of a team. */
export const TeamMember = z.object({ role: TeamRole }).meta({ id: 'TeamMember', description: 'Membership of a team' })

/** A team as replies show it. */
export const Team = z
  .object({
    object: z.literal('team'),
    id: Id,
    title: z.string(),
    members: z.number().int(),
    spaces: z.number().int().describe('Number of spaces that the team has a role on'),
    createdAt: Timestamp,
    permissions: permissionsOf(teamRights),
  })
  .meta({ id: 'Team', description: 'A group of members' })
