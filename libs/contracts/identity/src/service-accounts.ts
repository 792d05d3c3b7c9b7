import { z } from 'zod'
import { empty, endpoints, Id, inOrganization, list, page, Role, text, Timestamp, Url } from '@recto/contracts-shared'
import { CreatedToken, CreateToken, Token } from './users.ts'

const ServiceAccount = z
  .object({
    object: z.literal('service-account'),
    id: Id.describe('Id of the account, by which roles are granted to it as to a user'),
    name: z.string(),
    role: Role.nullable().describe('Its role in the organization; null where it has what was granted to it alone'),
    createdAt: Timestamp,
    lastSeenAt: Timestamp.optional().describe('When a token of it was last used, within a minute'),
    urls: z.object({ location: Url }),
  })
  .meta({
    id: 'ServiceAccount',
    description: 'An account of an organization for a program, which belongs to no person',
  })

const name = text({ min: 1, max: 64 })
const role = Role.nullable().describe('Null for an account that has what is granted to it alone, as guests do')

const CreateServiceAccount = z
  .object({ name, role: role.default(null) })
  .meta({ id: 'CreateServiceAccount', description: 'A service account to create' })
const UpdateServiceAccount = z
  .object({ name: name.optional(), role: role.optional() })
  .meta({ id: 'UpdateServiceAccount', description: 'Fields of a service account to update' })
const path = '/orgs/{organizationId}/service-accounts'
const errors = ['not_found'] as const
const administration = { ...inOrganization('admin'), group: 'admin' } as const

/** Operations on service accounts. */
export const serviceAccounts = endpoints({
  listServiceAccounts: {
    route: `GET ${path}`,
    summary: 'List the service accounts of an organization',
    description: 'The newest come first.',
    query: page,
    reply: list(ServiceAccount),
    errors,
    scope: 'organization:service-accounts:read',
    access: inOrganization('admin'),
  },
  createServiceAccount: {
    route: `POST ${path}`,
    summary: 'Create a service account',
    description:
      'It can do nothing until a token is issued for it. A role above your own is refused (403); without a role, grant it one on spaces, collections or sites by its id.',
    body: CreateServiceAccount,
    reply: ServiceAccount,
    creates: 'resource',
    errors,
    records: ['service-account.created', 'member.added'],
    scope: 'organization:service-accounts:write',
    access: administration,
    examples: [{ body: { name: 'Search index', role: 'read' } }],
  },
  getServiceAccount: {
    route: `GET ${path}/{serviceAccountId}`,
    summary: 'Get a service account',
    description: 'Its tokens have a list of their own.',
    reply: ServiceAccount,
    errors,
    scope: 'organization:service-accounts:read',
    access: inOrganization('admin'),
  },
  updateServiceAccount: {
    route: `PATCH ${path}/{serviceAccountId}`,
    summary: 'Update a service account',
    description:
      'Fields that are left out stay. A role holds from the next request of the account on; one above your own is refused (403).',
    body: UpdateServiceAccount,
    reply: ServiceAccount,
    errors,
    records: ['service-account.updated'],
    scope: 'organization:service-accounts:write',
    access: administration,
    examples: [{ body: { name: 'Search index' } }],
  },
  deleteServiceAccount: {
    route: `DELETE ${path}/{serviceAccountId}`,
    summary: 'Delete a service account',
    description:
      'Its tokens end, and what was granted to it. Its name stays where it wrote something. One that is not there is no error.',
    reply: empty,
    status: 204,
    errors,
    records: ['service-account.deleted', 'member.removed', 'token.deleted'],
    scope: 'organization:service-accounts:write',
    access: administration,
    examples: [{ params: { serviceAccountId: '{ownServiceAccountId}' } }],
  },
  listServiceAccountTokens: {
    route: `GET ${path}/{serviceAccountId}/tokens`,
    summary: 'List the tokens of a service account',
    description: 'The newest come first, without their secrets.',
    query: page,
    reply: list(Token),
    errors,
    scope: 'organization:service-accounts:read',
    access: inOrganization('admin'),
  },
  createServiceAccountToken: {
    route: `POST ${path}/{serviceAccountId}/tokens`,
    summary: 'Issue a token for a service account',
    description:
      'The secret is in this reply and in no other. Its scopes are among those of your own token (403); it does not end with your token, but with the account. With `limitedTo` it is refused for all that is not about these spaces, collections and sites (403), which you and the account must see: grant it its roles first.',
    body: CreateToken,
    reply: CreatedToken,
    creates: 'resource',
    errors,
    records: ['token.created'],
    scope: 'organization:service-accounts:write',
    access: administration,
    examples: [
      { body: { name: 'nightly job', scopes: ['space:read'] } },
      {
        body: {
          name: 'export',
          limitedTo: { spaces: ['{spaceId}'], collections: ['{collectionId}'], sites: ['{siteId}'] },
        },
      },
    ],
  },
  deleteServiceAccountToken: {
    route: `DELETE ${path}/{serviceAccountId}/tokens/{tokenId}`,
    summary: 'Revoke a token of a service account',
    description: 'The token is refused from now on. One that is not there, or whose account is not, is no error.',
    reply: empty,
    status: 204,
    errors,
    records: ['token.deleted'],
    scope: 'organization:service-accounts:write',
    access: administration,
    examples: [{ params: { tokenId: '{serviceAccountTokenId}' } }],
  },
})
