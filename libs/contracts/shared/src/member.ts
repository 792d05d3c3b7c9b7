import { z } from 'zod'
import { Id, Role, Timestamp, User } from './conventions.ts'

/** A member of an organization as replies show it. */
export const Member = z
  .object({
    object: z.literal('member'),
    id: Id.describe('Id of the user'),
    role: Role.nullable().describe('Null for guests'),
    user: User,
    disabled: z.boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Timestamp.optional(),
    sso: z.boolean().describe('Whether the member may sign in with single sign-on'),
    spaces: z.number().int().describe('Spaces the member can see'),
    teams: z.number().int().describe('Teams the member is in'),
    // An identity of the version before does not send it.
    sites: z.number().int().default(0).describe('Sites the member can see'),
  })
  .meta({ id: 'Member', description: 'A user in an organization' })
