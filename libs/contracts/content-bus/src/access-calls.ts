import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Collection, Id, Role, Space, LimitedTo } from '@recto/contracts-shared'

const Counts = z.record(Id, z.number().int())
/** The user's membership of the organization; null for a user who is about to join. */
const standing = z.object({ role: Role.nullable(), teams: z.array(Id) }).nullable()

/** Calls from identity and publishing to content about access to spaces and collections. */
export const accessCalls = operations({
  countSpaces: {
    summary:
      'Count the spaces that each member can read and each team has a grant on, among those that the viewer can read',
    body: z.object({
      organization: Id,
      viewer: z.object({ user: Id, role: Role.nullable(), teams: z.array(Id), limitedTo: LimitedTo.optional() }),
      members: z.array(z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) })).max(1000),
      teams: z.array(Id).max(1000),
    }),
    reply: z.object({ members: Counts, teams: Counts }),
  },
  findInvitedSpace: {
    summary: 'Get the space of an invite for an actor whose role is at least its level',
    body: z.object({ actor: Actor, organization: Id, space: Id, level: Role.nullable() }),
    reply: z.object({ space: Space, role: Role }),
    errors: ['not_found'],
  },
  findInvitedCollection: {
    summary: 'Get the collection of an invite for an actor whose role is at least its level',
    body: z.object({ actor: Actor, organization: Id, collection: Id, level: Role.nullable() }),
    reply: z.object({ collection: Collection, role: Role }),
    errors: ['not_found'],
  },
  grantCollection: {
    summary: 'Grant a user a role on a collection, unless they have it or a higher one',
    body: z.object({ organization: Id, collection: Id, user: Id, standing, level: Role }),
    reply: z.object({}),
    errors: ['not_found'],
  },
  grantSpace: {
    summary: 'Grant a user a role on a space, unless they have it or a higher one',
    body: z.object({ organization: Id, space: Id, user: Id, standing, level: Role }),
    reply: z.object({}),
    errors: ['not_found'],
  },
})
