import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { changedFields } from '@recto/operation'
import * as members from '../members/members.repository.ts'
import { requireOtherAdmin } from '../members/require-other-admin.ts'
import * as users from '../users/users.repository.ts'
import { changeActive, changeRole } from '../members/change-standing.ts'
import { rowOf } from './provision-user.ts'
import type { ScimUserInput } from './read-user.rules.ts'
import { scimFault } from './scim-fault.ts'
import * as repository from './scim-users.repository.ts'
import type { ScimUserView } from './scim-users.repository.ts'

interface UserChange {
  organization: string
  before: ScimUserView
  input: ScimUserInput
}

/** Gives a user the attributes that a client sends, and records what changed. The caller's transaction must have locked the organization. */
export async function changeUser(tx: Transaction, change: UserChange): Promise<void> {
  const { organization, before, input } = change
  const key = { organization, userId: before.userId }
  if (await repository.isUserNameTaken(tx, key, input.userName))
    throw scimFault('uniqueness', `userName: another user has the name ${input.userName}`)
  const newRole = input.active === false ? undefined : input.role === undefined ? before.role : input.role
  await requireOtherAdmin(tx, await members.get(tx, key), newRole)
  const fields = [...new Set([...fieldsOf(before, input), ...(await changeAccount(tx, change))])]
  if (fields.length > 0) {
    await repository.save(tx, rowOf(key, input))
    tx.record(recorded('member.updated', { organization, user: before.userId, details: { fields } }))
  }
  if (input.role !== undefined && input.role !== before.role) await changeRole(tx, key, input.role)
  if (input.active !== undefined && input.active === before.disabled) await changeActive(tx, key, input.active)
}

/** The names of attributes that a client changes. */
function fieldsOf(before: ScimUserView, { userName, externalId, attributes }: ScimUserInput): string[] {
  return changedFields(
    { ...before.attributes, userName: before.userName ?? before.email, externalId: before.externalId },
    { ...attributes, userName, externalId },
  )
}

/** Changes name and email of the account where it is this organization's alone; returns the fields that changed. */
async function changeAccount(tx: Transaction, { organization, before, input }: UserChange): Promise<string[]> {
  const account = await users.get(tx, before.userId)
  const organizations = await members.findOrganizationIds(tx, account.id)
  if (account.platformAdmin || organizations.some(one => one !== organization)) return []
  const isNamed = 'displayName' in input.attributes || 'name' in input.attributes
  const displayName = isNamed && input.displayName !== account.displayName ? input.displayName : undefined
  const isAsserted = account.emailAssertedBy === organization
  const email = isAsserted && input.email !== account.email.toLowerCase() ? input.email : undefined
  if (email !== undefined && (await users.findByEmail(tx, email)))
    throw scimFault('uniqueness', `emails: ${email} is that of another user`)
  if (displayName !== undefined) await users.update(tx, account.id, { displayName })
  if (email !== undefined) await users.setEmail(tx, account.id, email)
  return [...(displayName === undefined ? [] : ['displayName']), ...(email === undefined ? [] : ['email'])]
}
