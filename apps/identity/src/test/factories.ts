import type { Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { transact } from '@recto/database'
import { addMember, type NewMembership } from '../members/add-members.ts'
import * as tokens from '../users/tokens.repository.ts'
import { issueToken } from '../users/tokens.rules.ts'
import { adminToken, type IdentityClient, type IdentitySetup } from './identity-setup.ts'

/** A user with a token; `client` has the memberships of the moment it is created. */
export interface TestUser {
  id: string
  email: string
  token: string
  client(): Promise<IdentityClient>
}

const anEmail = () => `${createId()}@recto.test`

export async function aUser(
  identity: IdentitySetup,
  { email = anEmail(), displayName = 'Ada' } = {},
): Promise<TestUser> {
  const admin = await identity.as(adminToken)
  const { id } = await admin.createUser({ body: { email, displayName } })
  const { token } = await admin.createTokenForUser({ params: { userId: id }, body: { name: 'test' } })
  return { id, email, token, client: () => identity.as(token) }
}

/** Creates an organization and its admin. */
export async function anOrganization(
  identity: IdentitySetup,
  { title = 'Docs', emailDomains = [] as string[], adminEmail = anEmail() } = {},
): Promise<{ id: string; admin: TestUser }> {
  const admin = await aUser(identity, { email: adminEmail })
  const { id } = await (await admin.client()).createOrganization({ body: { title, emailDomains } })
  return { id, admin }
}

/** Creates a user who is a member with this role, or a guest for null. */
export async function aMember(
  identity: IdentitySetup,
  organization: string,
  role: Role | null = 'read',
  person: { email?: string; displayName?: string } = {},
): Promise<TestUser> {
  const user = await aUser(identity, person)
  await joinOrganization(identity, { organization, userId: user.id, role })
  return user
}

/** A client with a token issued by the organization's single sign-on. */
export async function signedIn(identity: IdentitySetup, organization: string, user: TestUser): Promise<IdentityClient> {
  const { row, token } = issueToken(
    { name: 'sign-in', scopes: ['admin'] },
    { userId: user.id, issuerScopes: ['admin'], signIn: { organization, provider: null }, now: new Date() },
  )
  await tokens.insert(identity.service.db, row)
  return identity.as(token)
}

/** Creates a team with these members and owners. */
export async function aTeam(
  identity: IdentitySetup,
  organization: { id: string; admin: TestUser },
  { title = 'Writers', members = [] as TestUser[], owners = [] as TestUser[] } = {},
): Promise<string> {
  const client = await organization.admin.client()
  const { id } = await client.createOrganizationTeam({
    params: { organizationId: organization.id },
    body: { title, members: [...members, ...owners].map(user => user.id) },
  })
  const memberships = Object.fromEntries(owners.map(user => [user.id, { role: 'owner' as const }]))
  await client.updateMembersInOrganizationTeam({
    params: { organizationId: organization.id, teamId: id },
    body: { memberships },
  })
  return id
}

/** Makes a user a member, as an invite does. */
export async function joinOrganization({ service }: IdentitySetup, joining: NewMembership): Promise<void> {
  await transact(
    service.db,
    () => undefined,
    tx => addMember(tx, joining),
  )
}
