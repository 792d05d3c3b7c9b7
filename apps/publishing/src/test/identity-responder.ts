import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { hashToken, type Actor, type Role } from '@recto/actor'
import { openVisitEnd, openVisitRequest, visitChallenge, type VisitEnd } from '@recto/actor/visit-request'
import { connectBus, serve } from '@recto/bus'
import { identityCalls, peopleCalls, visitCalls } from '@recto/contracts-identity-bus'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { waitLimit } from '@recto/testing'
import { organization, publicUrl, secret } from './publishing-setup.ts'

/** A responder on the bus in place of identity: it knows tokens and members of the organization from memory. */
export interface IdentityResponder {
  addToken(token: string, actor: Actor): void
  /** Adds a member, or changes their role; null makes them a guest, undefined removes them. */
  setMember(user: string, role: Role | null | undefined, teams?: string[]): void
  /** Signs a user in for a request to read a site, as the authorization server does; resolves to the query that the browser comes back with. */
  visit(redirect: string, session: { id: string; user: string }): Promise<string>
  /** The request to sign out that a browser is sent with. */
  endOf(redirect: string): Promise<VisitEnd | undefined>
  endSession(id: string): void
  /** Number of calls answered. */
  answered(): number
  stop(): Promise<void>
}

interface VisitCodeBody {
  organization: string
  site: string
  redirectUri: string
  challenge: string
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
  const sessions = new Map<string, string>()
  const codes = new Map<string, { session: string; body: VisitCodeBody }>()
  const visitingMember = (session: string) => {
    const user = sessions.get(session) ?? ''
    const member = members.get(user)
    if (!member) return null
    const { role, teams } = member
    const endsAt = Date.now() + 3_600_000
    return { session, endsAt, user, email: `${user}@recto.test`, name: user.toUpperCase(), role, teams }
  }
  const count = { answered: 0 }
  const tokens = feature<unknown>()(identityCalls, {
    async resolveToken({ body: { hash, knowsLimits } }) {
      const actor = actors.get(hash)
      return actor && (knowsLimits || !actor.limitedTo) ? { actor, tokenId: hash } : { actor: null }
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
  const visits = feature<unknown>()(visitCalls, {
    async redeemVisitCode({ body: { code, ...body } }) {
      const visit = codes.get(code)
      codes.delete(code)
      const { verifier, ...rest } = body
      const isOwn =
        visit !== undefined && isDeepStrictEqual(visit.body, { ...rest, challenge: visitChallenge(verifier) })
      return { member: isOwn ? visitingMember(visit.session) : null }
    },
    findVisit: async ({ body: { session } }) => ({ member: visitingMember(session) }),
    async endVisit({ body: { session } }) {
      sessions.delete(session)
      return {}
    },
  })
  const serving = [
    { operations: visitCalls, handlers: visits.handlers },
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
    async visit(redirect, { id, user }) {
      const request = new URL(redirect).searchParams.get('request') ?? ''
      const visit = await openVisitRequest(request, publicUrl, [secret])
      if (!visit) throw new Error(`${redirect} is no request to read a site`)
      const { organization, site, redirectUri, challenge, state } = visit
      sessions.set(id, user)
      const code = randomUUID()
      codes.set(code, { session: id, body: { organization, site, redirectUri, challenge } })
      return new URLSearchParams({ code, state }).toString()
    },
    endOf: redirect => openVisitEnd(new URL(redirect).searchParams.get('request') ?? '', publicUrl, [secret]),
    endSession: id => void sessions.delete(id),
    answered: () => count.answered,
    stop: async () => {
      await Promise.all(serving.map(each => each.stop()))
      await bus.drain()
    },
  }
}
