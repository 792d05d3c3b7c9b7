import { scimGroups } from '@recto/contracts-identity'
import type { Db } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { canAdminister } from '../organizations/organizations.policy.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import * as teamMembers from '../teams/team-members.repository.ts'
import type { TeamKey } from '../teams/teams.repository.ts'
import { canonicalValue, type Attributes } from './attributes.rules.ts'
import { changeGroup, provisionGroup } from './change-group.ts'
import { organizationOfToken } from './organization-of-token.ts'
import { patchGroup, replacedMembers, type MemberChange } from './patch-group.rules.ts'
import { presentScimGroup, type ScimMember } from './present-scim-groups.ts'
import { locationOf } from './resource-meta.ts'
import { includesAttribute, project, type Projection } from './projection.rules.ts'
import { readGroup, type ScimGroupInput } from './read-group.rules.ts'
import { presentList, readSearch, type Search } from './search.ts'
import { requireVersion } from './versions.ts'
import * as repository from './scim-groups.repository.ts'
import type { ScimGroupView } from './scim-groups.repository.ts'

/** Members that the groups of one page have together: a page with larger groups has fewer of them. */
const maxListedMembers = 20_000

export const scimGroupFeature = feature<BaseContext>()(scimGroups, {
  async listScimGroups({ query }, context) {
    return listGroups(context, query)
  },

  async searchScimGroups({ body }, context) {
    return listGroups(context, body)
  },

  async createScimGroup({ query, body }, context) {
    const organization = organizationOfToken(context.actor)
    const input = readGroup(body)
    const change = replacedMembers(membersIn(body) ?? [])
    const team = await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      return provisionGroup(tx, organization, { input, change })
    })
    return answer(context, await getGroup(context.db, { organization, team }), { organization, ...query })
  },

  async getScimGroup({ params, query }, context) {
    const organization = organizationOfToken(context.actor)
    const group = await getGroup(context.db, { organization, team: params.groupId })
    return answer(context, group, { organization, ...query })
  },

  async replaceScimGroup({ params, query, body }, context) {
    const organization = organizationOfToken(context.actor)
    const members = membersIn(body)
    const planned = { input: readGroup(body), change: members === undefined ? undefined : replacedMembers(members) }
    const group = await change(context, { organization, team: params.groupId }, () => planned)
    return answer(context, group, { organization, ...query })
  },

  async patchScimGroup({ params, query, body }, context) {
    const organization = organizationOfToken(context.actor)
    const group = await change(context, { organization, team: params.groupId }, before => {
      const { attributes, members } = patchGroup(before, body.Operations)
      return { input: readGroup(attributes), change: members }
    })
    // A client that changes a member of a large group does not want to hear of all others.
    if (query.attributes !== undefined) return answer(context, group, { organization, ...query })
    setHeaders(context, group)
    return undefined
  },

  async deleteScimGroup({ params }, context) {
    const organization = organizationOfToken(context.actor)
    const key = { organization, team: params.groupId }
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      requireVersion(context, presentScimGroup(await getGroup(tx, key), context.publicUrl).version)
      await deleteTeam(tx, key)
    })
    return undefined
  },
})

/** The members of a body, whose name may be in any case; undefined when it has none. */
function membersIn(body: Attributes): unknown {
  return (canonicalValue(body) as Attributes)['members'] ?? undefined
}

/** Throws `not_found`. */
async function getGroup(db: Db, key: TeamKey): Promise<ScimGroupView> {
  const group = await repository.find(db, key)
  if (!group) throw new Failure('not_found', 'There is no such group')
  return group
}

async function listGroups(context: Context, search: Search) {
  const organization = organizationOfToken(context.actor)
  const page = await repository.list(context.db, organization, readSearch(search))
  if (!includesAttribute(search, 'members'))
    return presentList(page, group => project(presentScimGroup(group, context.publicUrl).resource, search))
  const items = firstWithFewMembers(page.items)
  const ids = items.map(({ teamId }) => teamId)
  const members = new Map(ids.map(id => [id, [] as ScimMember[]]))
  for (const member of await teamMembers.listPersonsInTeams(context.db, organization, ids))
    members.get(member.teamId)?.push(member)
  return presentList({ ...page, items }, group =>
    project(presentScimGroup(group, context.publicUrl, members.get(group.teamId) ?? []).resource, search),
  )
}

/** The first groups whose members are few enough together, and at least one. */
function firstWithFewMembers(groups: ScimGroupView[]): ScimGroupView[] {
  let sum = 0
  const end = groups.findIndex(({ members }, at) => (sum += members) > maxListedMembers && at > 0)
  return end < 0 ? groups : groups.slice(0, end)
}

/** Changes a group in one transaction, and returns it as it is then. Throws `precondition_failed` for an earlier version. */
async function change(
  context: Context,
  key: TeamKey,
  plan: (before: Attributes) => { input: ScimGroupInput; change: MemberChange | undefined },
): Promise<ScimGroupView> {
  return context.transaction(async tx => {
    await requireCurrentMembership(tx, context.actor, { organization: key.organization, can: canAdminister })
    const before = await getGroup(tx, key)
    const { resource, version } = presentScimGroup(before, context.publicUrl)
    requireVersion(context, version)
    await changeGroup(tx, key.organization, { before, ...plan(resource) })
    return getGroup(tx, key)
  })
}

function setHeaders(context: Context, group: ScimGroupView): void {
  context.setLocation(locationOf(context.publicUrl, 'Groups', group.teamId))
  context.setETag(presentScimGroup(group, context.publicUrl).version, { isWeak: true })
}

/** A group with the attributes that were asked for, and with the headers of the reply. */
async function answer(
  context: Context,
  group: ScimGroupView,
  { organization, ...projection }: Projection & { organization: string },
) {
  const members = includesAttribute(projection, 'members')
    ? await teamMembers.listPersonsInTeams(context.db, organization, [group.teamId])
    : undefined
  setHeaders(context, group)
  const { resource } = presentScimGroup(group, context.publicUrl, members)
  return project(resource, projection) as Attributes & { id: string; schemas: string[] }
}
