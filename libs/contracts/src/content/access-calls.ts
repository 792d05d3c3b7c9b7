import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Role } from '../conventions.ts'
import { Collection } from './collections.ts'
import { Space } from './spaces.ts'

const Counts = z.record(Id, z.number().int())
/** What the user is in the organization already; null for who is about to join. */
const standing = z.object({ role: Role.nullable(), teams: z.array(Id) }).nullable()

/** Calls that identity makes of content about who has access to what. */
export const accessCalls = operations({
  countSpaces: {
    summary:
      'Count the spaces that each of these members can see, and those that each of these teams has a grant on, as far as the viewer sees them',
    body: z.object({
      organization: Id,
      viewer: z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) }),
      members: z.array(z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) })).max(1000),
      teams: z.array(Id).max(1000),
    }),
    reply: z.object({ members: Counts, teams: Counts }),
  },
  findInvitedSpace: {
    summary: 'Find the space of an invite for who makes or shows it; its level may not be above their own',
    body: z.object({ actor: Actor, organization: Id, space: Id, level: Role.nullable() }),
    reply: z.object({ space: Space, role: Role }),
    errors: ['not_found'],
  },
  findInvitedCollection: {
    summary: 'Find the collection of an invite for who makes or shows it; its level may not be above their own',
    body: z.object({ actor: Actor, organization: Id, collection: Id, level: Role.nullable() }),
    reply: z.object({ collection: Collection, role: Role }),
    errors: ['not_found'],
  },
  grantCollection: {
    summary: 'Give a user a role on a collection, unless they have it there already, or a higher one',
    body: z.object({ organization: Id, collection: Id, user: Id, standing, level: Role }),
    reply: z.object({}),
    errors: ['not_found'],
  },
  grantSpace: {
    summary: 'Give a user a role on a space, unless they have it there already, or a higher one',
    body: z.object({ organization: Id, space: Id, user: Id, standing, level: Role }),
    reply: z.object({}),
    errors: ['not_found'],
  },
})
