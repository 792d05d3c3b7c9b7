import { events, operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Role, Timestamp, User } from '../conventions.ts'
import { Team } from './teams.ts'

/** Calls that other services make of identity. */
export const identityCalls = operations({
  resolveToken: {
    summary: 'Find the actor of a token by its SHA-256',
    body: z.object({ hash: z.string() }),
    reply: z.object({ actor: Actor.nullable(), tokenId: Id.optional(), expiresAt: z.number().optional() }),
  },
})

/** Calls about who is in an organization. */
export const peopleCalls = operations({
  describePeople: {
    summary: 'Show users and teams as an actor sees them; who is not in the organization is left out',
    body: z.object({ actor: Actor, organization: Id, users: z.array(Id).max(1000), teams: z.array(Id).max(1000) }),
    reply: z.object({ users: z.array(User), teams: z.array(Team.omit({ spaces: true })) }),
    errors: ['not_found'],
  },
  listMemberships: {
    summary: 'List who is in an organization, with role and teams: all of them, or those among these users',
    body: z.object({ organization: Id, users: z.array(Id).max(1000).optional() }),
    reply: z.object({ members: z.array(z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) })) }),
  },
})

/** What identity tells. */
export const identityEvents = events({
  actorChanged: {
    subject: 'events.identity.actor.changed',
    summary:
      'A token, a membership or a team of these users changed, or what these organizations ask of tokens; cached actors of theirs are stale',
    payload: z.object({ userIds: z.array(Id), organizations: z.array(Id).optional() }),
    consumers: [],
  },
  organizationCreated: {
    subject: 'events.identity.organization.created',
    summary: 'An organization exists',
    payload: z.object({ organization: Id, createdBy: Id }),
    consumers: [],
  },
  memberRemoved: {
    subject: 'events.identity.member.removed',
    summary: 'A user is no longer a member or guest of an organization',
    payload: z.object({ organization: Id, user: Id, at: Timestamp }),
    consumers: ['content'],
  },
  teamDeleted: {
    subject: 'events.identity.team.deleted',
    summary: 'A team is gone',
    payload: z.object({ organization: Id, team: Id, at: Timestamp }),
    consumers: ['content'],
  },
})
