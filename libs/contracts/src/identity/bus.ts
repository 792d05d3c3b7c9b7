import { events, operations } from '@recto/operation'
import { z } from 'zod'
import { Id, Role } from '../conventions.ts'

const Actor = z
  .object({
    userId: Id,
    platformAdmin: z.boolean(),
    scopes: z.array(z.string()),
    memberships: z.array(z.object({ organization: Id, role: Role.nullable(), teams: z.array(Id) })),
  })
  .meta({ id: 'Actor', description: 'Who makes a request' })

/** Calls that other services make of identity. */
export const identityCalls = operations({
  resolveToken: {
    summary: 'Find the actor of a token by its SHA-256',
    body: z.object({ hash: z.string() }),
    reply: z.object({ actor: Actor.nullable(), tokenId: Id.optional(), expiresAt: z.number().optional() }),
  },
})

/** What identity tells. */
export const identityEvents = events({
  actorChanged: {
    subject: 'events.identity.actor.changed',
    summary: 'A token, a membership or a team of these users changed; cached actors of theirs are stale',
    payload: z.object({ userIds: z.array(Id) }),
    consumers: [],
  },
  organizationCreated: {
    subject: 'events.identity.organization.created',
    summary: 'An organization exists',
    payload: z.object({ organization: Id, createdBy: Id }),
    consumers: [],
  },
})
