import type { Role } from '@recto/actor'
import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import { acceptInvites } from '../invites/accept-invites.ts'
import { addMember } from '../members/add-members.ts'
import { setSso } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { isEmailProven } from '../users/emails.rules.ts'
import type { UserRow } from '../users/user.entity.ts'
import * as users from '../users/users.repository.ts'
import { changeActive, changeRole } from '../members/change-standing.ts'
import type { ScimUserInput } from './read-user.rules.ts'
import { scimFault } from './scim-fault.ts'
import * as repository from './scim-users.repository.ts'

/**
 * Makes a user a member as a client sends them: a new account whose email this organization alone asserts, or an existing one, of which
 * nothing changes. The caller's transaction must hold the locks of the email and of the organization. Throws `uniqueness` for a member.
 */
export async function provisionUser(tx: Transaction, organization: string, input: ScimUserInput): Promise<string> {
  if (await repository.isUserNameTaken(tx, { organization }, input.userName))
    throw scimFault('uniqueness', `userName: another user has the name ${input.userName}`)
  const account = await users.findByEmail(tx, input.email)
  if (account?.serviceAccountOf) throw scimFault('uniqueness', `emails: ${input.email} is that of a service account`)
  if (account && (await members.find(tx, { organization, userId: account.id })))
    throw scimFault('uniqueness', `emails: ${input.email} is that of another user`)
  const userId = account ? account.id : await createAccount(tx, organization, input)
  const sso = account ? await mayUseSso(tx, organization, account) : true
  await acceptInvites(tx, { id: userId, email: input.email }, organization)
  await addMember(tx, { organization, userId, role: await roleOf(tx, organization, input), sso })
  await changeInvited(tx, { organization, userId }, { role: input.role, sso })
  await repository.save(tx, rowOf({ organization, userId }, input))
  if (input.active === false) await changeActive(tx, { organization, userId }, false)
  return userId
}

async function createAccount(tx: Transaction, organization: string, { email, displayName }: ScimUserInput) {
  const account = { email, displayName, photoUrl: null, platformAdmin: false, emailAssertedBy: organization }
  const { id } = await users.insert(tx, { ...account, id: createId(), createdAt: new Date() })
  return id
}

/** Whether the identity provider of the organization may sign an existing account in: as for an invite, not one that belongs elsewhere. */
async function mayUseSso(tx: Transaction, organization: string, account: UserRow): Promise<boolean> {
  if (!isEmailProven(account, organization)) return true
  const email = account.email.toLowerCase()
  return !(await members.findSsoIneligibleEmails(tx, organization, [email])).has(email)
}

/** The role that the client names, else the default one. A guest is one by name only. */
async function roleOf(tx: Transaction, organization: string, { role }: ScimUserInput): Promise<Role | null> {
  if (role !== undefined) return role
  return (await organizations.get(tx, organization)).defaultRole as Role | null
}

/** Gives what the client asks for to a member who had an invite, whose role and sign-on came first. */
async function changeInvited(
  tx: Transaction,
  key: members.MemberKey,
  { role, sso }: { role: Role | null | undefined; sso: boolean },
): Promise<void> {
  const member = await members.get(tx, key)
  if (role !== undefined && role !== member.role) await changeRole(tx, key, role)
  if (sso) await setSso(tx, key)
}

/** The row that keeps what a client sends. */
export function rowOf({ organization, userId }: members.MemberKey, input: ScimUserInput) {
  const { userName, externalId, attributes } = input
  const emails = ((attributes['emails'] as { value: string }[] | undefined) ?? []).map(({ value }) =>
    value.toLowerCase(),
  )
  return { organizationId: organization, userId, userName, externalId, emails, attributes, updatedAt: new Date() }
}
