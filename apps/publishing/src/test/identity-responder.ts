import { hashToken, type Actor, type Role } from '@recto/actor'
import { connectBus, serve } from '@recto/bus'
import { identityCalls, peopleCalls } from '@recto/contracts-identity-bus'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { waitLimit } from '@recto/testing'
import { organization } from './publishing-setup.ts'

/** A responder on the bus in place of identity: it knows tokens and members of the organization from memory. */
export interface IdentityResponder {
  addToken(token: string, actor: Actor): void
  /** Adds a member, or changes their role; null makes them a guest, undefined removes them. */
  setMember(user: string, role: Role | null | undefined, teams?: string[]): void
  /** Number of calls answered. */
  answered(): number
  stop(): Promise<void>
}

interface TestMember {
  role: Role | null
  teams: string[]
  joinedAt: string
}

/** Starts the responder on a connection of identity. */
export async function anIdentityResponder(natsUrl: string): Promise<IdentityResponder> {
  const bus = await connectBus({ url: natsUrl, service: 'identity', callTimeout: waitLimit })
  const actors = new Map<string, Actor>()
  const members = new Map<string, TestMember>()
  const count = { answered: 0 }
  const tokens = feature<unknown>()(identityCalls, {
    async resolveToken({ body: { hash } }) {
      const actor = actors.get(hash)
      return actor ? { actor, tokenId: hash } : { actor: null }
    },
  })
  const people = feature<unknown>()(peopleCalls, {
    describePeople: async ({ body }) => ({
      users: body.users
        .filter(id => !id.startsWith('nobody'))
        .map(id => ({
          object: 'user',
          id,
          displayName: id,
          urls: { location: `http://recto.test/v1/users/${id}` },
        })),
      teams: body.teams
        .filter(id => !id.startsWith('nobody'))
        .map(id => ({
          object: 'team',
          id,
          title: id,
          members: 0,
          createdAt: new Date(0).toISOString(),
          permissions: { view: true, admin: false },
        })),
    }),
    describeMembers: async () => ({ members: [] }),
    describeOrganizations: async () => ({ organizations: [] }),
    listMemberships: async ({ body }) => {
      const all = body.organization === organization ? [...members] : []
      const matches = all.filter(([user]) => body.users?.includes(user) !== false)
      return { members: matches.map(([user, { role, teams }]) => ({ user, role, teams })) }
    },
    searchMemberships: async ({ body: { search = '' } }) => ({
      members: [...members].flatMap(([user, member]) =>
        user.includes(search) ? [{ user, name: user.toUpperCase(), ...member }] : [],
      ),
    }),
  })
  const serving = [
    { operations: identityCalls, handlers: tokens.handlers },
    { operations: peopleCalls, handlers: people.handlers },
  ].map(served =>
    serve(bus, {
      prefix: 'rpc',
      ...served,
      strict: true,
      context: () => void (count.answered += 1),
      log: createLog({ service: 'identity', level: 'silent' }),
    }),
  )
  await bus.connection.flush()
  return {
    addToken: (token, actor) => void actors.set(hashToken(token), actor),
    setMember: (user, role, teams = []) => {
      const joinedAt = new Date(members.size * 1000).toISOString()
      if (role === undefined) members.delete(user)
      else members.set(user, { role, teams, joinedAt })
    },
    answered: () => count.answered,
    stop: async () => {
      await Promise.all(serving.map(each => each.stop()))
      await bus.drain()
    },
  }
}
