import { events, operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Member, Organization, Role, Team, Timestamp, User } from '@recto/contracts-shared'

/** Calls from other services to identity. */
export const identityCalls = operations({
  resolveToken: {
    summary: "Resolve a token to its actor, by the token's SHA-256",
    body: z.object({
      hash: z.string(),
      knowsLimits: z
        .boolean()
        .optional()
        .describe('Without it a token that is limited to resources is unknown: versions before limits do not ask so'),
    }),
    reply: z.object({ actor: Actor.nullable(), tokenId: Id.optional(), expiresAt: z.number().optional() }),
  },
})

const Membership = z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) })

/** Calls about members, guests and teams of an organization. */
export const peopleCalls = operations({
  describePeople: {
    summary: 'Describe users and teams as an actor sees them; those outside the organization are left out',
    body: z.object({ actor: Actor, organization: Id, users: z.array(Id).max(1000), teams: z.array(Id).max(1000) }),
    reply: z.object({ users: z.array(User), teams: z.array(Team.omit({ spaces: true })) }),
    errors: ['not_found'],
  },
  describeMembers: {
    summary: 'Describe members of an organization as an actor sees them; those outside the organization are left out',
    body: z.object({ actor: Actor, organization: Id, users: z.array(Id).max(1000) }),
    reply: z.object({ members: z.array(Member) }),
  },
  describeOrganizations: {
    summary: 'Describe organizations as an actor sees them; unknown ones are left out',
    body: z.object({
      actor: Actor,
      organizations: z.array(Id).max(1000),
      hidesSettings: z
        .boolean()
        .optional()
        .describe('Leaves out the settings that the actor may not learn; without it they are there, for merges'),
    }),
    reply: z.object({ organizations: z.array(Organization) }),
  },
  listMemberships: {
    summary: 'List the memberships of an organization: all, or those of the given users',
    body: z.object({ organization: Id, users: z.array(Id).max(1000).optional() }),
    reply: z.object({ members: z.array(Membership) }),
  },
  searchMemberships: {
    summary: 'List the memberships of an organization with what lists of members are ordered by',
    body: z.object({
      organization: Id,
      search: z.string().optional().describe('Part of the display name or e-mail; case is ignored'),
    }),
    reply: z.object({
      members: z.array(Membership.extend({ name: z.string(), joinedAt: Timestamp, lastSeenAt: Timestamp.optional() })),
    }),
  },
})

/** Events that identity publishes. */
export const identityEvents = events({
  actorChanged: {
    subject: 'events.identity.actor.changed',
    summary:
      'The rights of these users, or the token requirements of these organizations, changed: their cached actors are outdated',
    payload: z.object({ userIds: z.array(Id), organizations: z.array(Id).optional() }),
    consumers: [],
  },
  organizationCreated: {
    subject: 'events.identity.organization.created',
    summary: 'An organization was created',
    payload: z.object({ organization: Id, createdBy: Id }),
    consumers: [],
  },
  memberRemoved: {
    subject: 'events.identity.member.removed',
    summary: 'A member or guest was removed from an organization',
    payload: z.object({ organization: Id, user: Id, at: Timestamp }),
    consumers: ['content', 'publishing'],
  },
  teamDeleted: {
    subject: 'events.identity.team.deleted',
    summary: 'A team was deleted',
    payload: z.object({ organization: Id, team: Id, at: Timestamp }),
    consumers: ['content', 'publishing'],
  },
})
