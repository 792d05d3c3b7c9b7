import { serve } from '@recto/bus'
import { accessCalls, readerCalls } from '@recto/contracts-content-bus'
import type { Collection } from '@recto/contracts-shared'
import { atLeast, membershipIn, roles, type Role } from '@recto/actor'
import { createId, Failure, feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { describedSpace } from '@recto/testing'
import type { z } from 'zod'
import type { IdentitySetup } from './identity-setup.ts'

interface TestSpace {
  organization: string
  /** Granted roles by user id. */
  grants: Map<string, Role>
}

/** A stand-in for the content service on the bus, which answers the calls of identity by their contract. */
export interface ContentResponder {
  /** Creates a space, or a collection, and returns its id. */
  aSpace(organization: string): string
  /** The role granted to a user. */
  grantedRole(space: string, user: string): Role | undefined
  /** Grants a user the role read on a space. */
  grant(space: string, user: string): void
  /** Revokes a user's role on a space. */
  revoke(space: string, user: string): void
  remove(space: string): void
  stop(): Promise<void>
}

export async function aContentResponder(identity: IdentitySetup): Promise<ContentResponder> {
  const spaces = new Map<string, TestSpace>()
  const bus = await identity.connectAs('content')
  const serving = serve(bus, {
    prefix: 'rpc',
    operations: { ...accessCalls, ...readerCalls },
    handlers: answers(spaces).handlers,
    context: () => undefined,
    log: createLog({ service: 'content', level: 'silent' }),
    strict: true,
  })
  await bus.connection.flush()
  return {
    aSpace: organization => {
      const id = createId()
      spaces.set(id, { organization, grants: new Map() })
      return id
    },
    grantedRole: (space, user) => spaces.get(space)?.grants.get(user),
    grant: (space, user) => void spaces.get(space)?.grants.set(user, 'read'),
    revoke: (space, user) => void spaces.get(space)?.grants.delete(user),
    remove: space => void spaces.delete(space),
    stop: async () => {
      await serving.stop()
      await bus.drain()
    },
  }
}

function answers(spaces: Map<string, TestSpace>) {
  const find = (id: string, organization: string): TestSpace => {
    const space = spaces.get(id)
    if (space?.organization !== organization) throw new Failure('not_found', 'There is no such space')
    return space
  }
  return feature<undefined>()(
    { ...accessCalls, ...readerCalls },
    {
      async countSpaces() {
        return { members: {}, teams: {} }
      },
      async findInvitedSpace({ body: { actor, organization, space: id, level } }) {
        const space = find(id, organization)
        const role = space.grants.get(actor.userId) ?? membershipIn(actor, organization)?.role ?? undefined
        if (!role) throw new Failure('not_found', 'There is no such space')
        if (!atLeast(role, level ?? 'create')) throw new Failure('forbidden', `The role ${role} does not allow this`)
        return { space: describedSpace({ id, title: 'Handbook', organization }), role }
      },
      async findInvitedCollection({ body: { actor, organization, collection: id } }) {
        if (!spaces.has(id)) throw new Failure('not_found', 'There is no such collection')
        find(id, organization)
        return {
          collection: shownCollection(id, organization),
          role: membershipIn(actor, organization)?.role ?? 'read',
        }
      },
      async findReadable({ body: { actor, organization, spaces: ids, collections } }) {
        const roleOn = (id: string) =>
          spaces.get(id)?.grants.get(actor.userId) ?? membershipIn(actor, organization)?.role
        const readable = (resources: string[]) =>
          resources.flatMap(id => {
            const role = spaces.get(id)?.organization === organization ? roleOn(id) : undefined
            return role ? [{ id, role }] : []
          })
        return { spaces: readable(ids), collections: readable(collections) }
      },
      async grantCollection({ body: { organization, collection: id, user, level } }) {
        find(id, organization).grants.set(user, level)
        return {}
      },
      async grantSpace({ body: { organization, space: id, user, level } }) {
        const { grants } = find(id, organization)
        const held = grants.get(user)
        grants.set(user, held && roles.indexOf(held) > roles.indexOf(level) ? held : level)
        return {}
      },
    },
  )
}

function shownCollection(id: string, organization: string): z.input<typeof Collection> {
  const urls = { location: `http://recto.test/v1/collections/${id}`, app: `http://recto.test/c/${id}` }
  return {
    object: 'collection',
    id,
    title: 'Guides',
    organization,
    defaultLevel: 'inherit',
    urls,
    permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
  }
}
