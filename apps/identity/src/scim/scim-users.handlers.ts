import { isDeepStrictEqual } from 'node:util'
import { scimUsers } from '@recto/contracts-identity'
import type { Transaction } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { lockInvitedTo } from '../invites/accept-invites.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { removeMember } from '../invites/remove-member.ts'
import * as members from '../members/members.repository.ts'
import { requireOtherAdmin } from '../members/require-other-admin.ts'
import { canAdminister } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import type { Attributes } from './attributes.rules.ts'
import { changeUser } from './change-user.ts'
import { organizationOfToken } from './organization-of-token.ts'
import { patchResource } from './patch-resource.rules.ts'
import { presentScimUser } from './present-scim-users.ts'
import { locationOf } from './resource-meta.ts'
import { project, type Projection } from './projection.rules.ts'
import { provisionUser } from './provision-user.ts'
import { readUser, type ScimUserInput } from './read-user.rules.ts'
import { presentList, readSearch, type Search } from './search.ts'
import { requireVersion } from './versions.ts'
import * as repository from './scim-users.repository.ts'
import type { ScimUserView } from './scim-users.repository.ts'

export const scimUserFeature = feature<BaseContext>()(scimUsers, {
  async listScimUsers({ query }, context) {
    return listUsers(context, query)
  },

  async searchScimUsers({ body }, context) {
    return listUsers(context, body)
  },

  async createScimUser({ query, body }, context) {
    const organization = organizationOfToken(context.actor)
    const input = readUser(body)
    const userId = await context.transaction(async tx => {
      await lockInvitedTo(tx, input.email, organization)
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      return provisionUser(tx, organization, input)
    })
    return answer(context, await getUser(context.db, { organization, userId }), query)
  },

  async getScimUser({ params, query }, context) {
    const organization = organizationOfToken(context.actor)
    return answer(context, await getUser(context.db, { organization, userId: params.userId }), query)
  },

  async replaceScimUser({ params, query, body }, context) {
    const input = readUser(body)
    return answer(context, await change(context, params.userId, () => input), query)
  },

  async patchScimUser({ params, query, body }, context) {
    const user = await change(context, params.userId, (before, { defaultRole, user }) => {
      const patched = patchResource(before, body.Operations)
      const input = withoutDefaults(readUser(patched), before, user)
      // A role that is taken away is the default one again.
      return patched['roles'] === undefined ? { ...input, role: defaultRole } : input
    })
    return answer(context, user, query)
  },

  async deleteScimUser({ params: { userId } }, context) {
    const organization = organizationOfToken(context.actor)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      const before = await getUser(tx, { organization, userId })
      requireVersion(context, presentScimUser(before, context.publicUrl).version)
      const member = await members.get(tx, { organization, userId })
      await requireOtherAdmin(tx, member, undefined)
      await removeMember(tx, member)
    })
    return undefined
  },
})

async function listUsers(context: Context, search: Search) {
  const organization = organizationOfToken(context.actor)
  const page = await repository.list(context.db, organization, readSearch(search))
  return presentList(page, user => project(presentScimUser(user, context.publicUrl).resource, search))
}

/** Throws `not_found`. */
async function getUser(db: Context['db'], key: { organization: string; userId: string }): Promise<ScimUserView> {
  const user = await repository.find(db, key)
  if (!user) throw new Failure('not_found', 'There is no such user')
  return user
}

/** Changes a user in one transaction, and returns them as they are then. Throws `precondition_failed` for an earlier version. */
async function change(
  context: Context,
  userId: string,
  inputOf: (before: Attributes, more: { defaultRole: ScimUserInput['role']; user: ScimUserView }) => ScimUserInput,
): Promise<ScimUserView> {
  const organization = organizationOfToken(context.actor)
  return context.transaction(async (tx: Transaction) => {
    await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
    const before = await getUser(tx, { organization, userId })
    const { resource, version } = presentScimUser(before, context.publicUrl)
    requireVersion(context, version)
    const { defaultRole } = await organizations.get(tx, organization)
    const input = inputOf(resource, { defaultRole: defaultRole as ScimUserInput['role'], user: before })
    await changeUser(tx, { organization, before, input })
    return getUser(tx, { organization, userId })
  })
}

/** Leaves out attributes that are those of the account: a client that changes others has not sent them. */
function withoutDefaults(input: ScimUserInput, before: Attributes, { attributes }: ScimUserView): ScimUserInput {
  const own = Object.entries(input.attributes).filter(
    ([name, value]) => name in (attributes ?? {}) || !isDeepStrictEqual(value, before[name]),
  )
  return { ...input, attributes: Object.fromEntries(own) }
}

/** A user with the attributes that were asked for, and with the headers of the reply. */
function answer(context: Context, user: ScimUserView, projection: Projection) {
  const { resource, version } = presentScimUser(user, context.publicUrl)
  context.setLocation(locationOf(context.publicUrl, 'Users', user.userId))
  context.setETag(version, { isWeak: true })
  return project(resource, projection) as Attributes & { id: string; schemas: string[] }
}
