import { isDeepStrictEqual } from 'node:util'
import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import { removeTeamMembers, setTeamMembers } from '../teams/change-team-members.ts'
import * as teamMembers from '../teams/team-members.repository.ts'
import * as teams from '../teams/teams.repository.ts'
import type { MemberChange } from './patch-group.rules.ts'
import type { ScimGroupInput } from './read-group.rules.ts'
import { scimFault } from './scim-fault.ts'
import * as users from './scim-users.repository.ts'
import * as repository from './scim-groups.repository.ts'
import type { ScimGroupView } from './scim-groups.repository.ts'

/** Members that one statement writes. */
const batch = 5_000

/** Creates the team of a group; throws `uniqueness` when another one has its title. The caller's transaction must have locked the organization. */
export async function provisionGroup(
  tx: Transaction,
  organization: string,
  { input, change }: { input: ScimGroupInput; change: MemberChange },
): Promise<string> {
  await requireFreeTitle(tx, { organization }, input.title)
  const team = createId()
  await teams.insert(tx, { id: team, organizationId: organization, title: input.title, createdAt: new Date() })
  tx.record(recorded('team.created', { organization, team }))
  await repository.save(tx, rowOf({ organization, team }, input))
  await changeMembers(tx, { organization, team }, change)
  return team
}

/** Gives a group the attributes and members that a client sends, and records what changed. */
export async function changeGroup(
  tx: Transaction,
  organization: string,
  { before, input, change }: { before: ScimGroupView; input: ScimGroupInput; change: MemberChange | undefined },
): Promise<void> {
  const key = { organization, team: before.teamId }
  const isRenamed = input.title !== before.title
  if (isRenamed) {
    await requireFreeTitle(tx, key, input.title)
    await teams.rename(tx, key, input.title)
  }
  const isKept = before.externalId === input.externalId && isDeepStrictEqual(before.attributes ?? {}, input.attributes)
  if (isRenamed || !isKept) {
    await repository.save(tx, rowOf(key, input))
    const fields = [...(isRenamed ? ['title'] : []), ...(isKept ? [] : ['attributes'])]
    tx.record(recorded('team.updated', { ...key, details: { fields } }))
  }
  if (change) await changeMembers(tx, key, change)
}

function rowOf({ organization, team }: teams.TeamKey, { externalId, attributes }: ScimGroupInput) {
  return { organizationId: organization, teamId: team, externalId, attributes, updatedAt: new Date() }
}

async function requireFreeTitle(tx: Transaction, key: { organization: string; team?: string }, title: string) {
  if (await repository.isTitleTaken(tx, key, title))
    throw scimFault('uniqueness', `displayName: another group has the name ${title}`)
}

/** Adds and removes members; who is in the team already keeps their role in it. Throws `invalidValue` for users of other organizations. */
async function changeMembers(tx: Transaction, key: teams.TeamKey, { isReset, add, remove }: MemberChange) {
  const addedIds = [...add]
  await requireMembers(tx, key.organization, addedIds)
  const current = await teamMembers.findMemberIds(tx, key, addedIds)
  const leaving = isReset
    ? (await teamMembers.listPersonsInTeams(tx, key.organization, [key.team]))
        .map(({ userId }) => userId)
        .filter(id => !add.has(id))
    : [...(await teamMembers.findMemberIds(tx, key, [...remove]))]
  await removeTeamMembers(tx, key, leaving)
  const joining = addedIds.filter(id => !current.has(id))
  for (let at = 0; at < joining.length; at += batch)
    await setTeamMembers(
      tx,
      key,
      joining.slice(at, at + batch).map(userId => ({ userId, role: 'member' })),
    )
  if (joining.length + leaving.length > 0)
    await tx.publish(identityEvents.actorChanged, { userIds: [...joining, ...leaving] })
}

async function requireMembers(tx: Transaction, organization: string, userIds: string[]): Promise<void> {
  const memberIds = await users.findUserIds(tx, organization, userIds)
  const unknown = userIds.find(id => !memberIds.has(id))
  if (unknown !== undefined) throw scimFault('invalidValue', `members: there is no user ${unknown.slice(0, 100)}`)
}
