import { operations } from '@recto/operation'
import { z } from 'zod'
import { Id, list, page, Role, text, Timestamp, Url } from '../conventions.ts'

const useCases = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const

const OrganizationType = z.enum(['business', 'community'])
const UseCase = z.enum(useCases)
const EmailDomains = z.array(text({ min: 1, max: 253 }).regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain name')).max(100)

const OrganizationPermissions = z
  .object({
    view: z.boolean(),
    admin: z.boolean(),
    ownTeam: z.boolean(),
    createContent: z.boolean(),
    createOpenAPISpec: z.boolean(),
    ingestConversations: z.boolean(),
    viewBilling: z.boolean(),
    listMembers: z.boolean(),
    listTeams: z.boolean(),
    listIntegrations: z.boolean(),
    listInstallations: z.boolean(),
    installIntegration: z.boolean(),
  })
  .meta({ id: 'OrganizationPermissions', description: 'What the caller may do with the organization' })

const Organization = z
  .object({
    object: z.literal('organization'),
    id: Id,
    title: z.string(),
    createdAt: Timestamp,
    emailDomains: z.array(z.string()),
    type: OrganizationType,
    useCase: UseCase.optional(),
    defaultRole: Role.nullable().optional(),
    inviteLinks: z.boolean(),
    plan: z.enum(['free', 'enterprise_2024']),
    mergeRules: z.object({ type: z.literal('none') }).describe('Rules that every merge in the organization must pass'),
    trial: z.object({ status: z.literal('notapplicable') }).describe('State of a trial; a self-hosted one has none'),
    urls: z.object({ location: Url, app: Url }),
    permissions: OrganizationPermissions,
  })
  .meta({ id: 'Organization', description: 'Owns spaces; its members hold roles' })

const CreateOrganization = z
  .object({
    title: text({ min: 2, max: 255 }),
    type: OrganizationType.default('business'),
    useCase: UseCase.optional(),
    emailDomains: EmailDomains.default([]),
  })
  .meta({ id: 'CreateOrganization', description: 'An organization to create' })

/** Operations on organizations. */
export const organizations = operations({
  listOrganizationsForAuthenticatedUser: {
    route: 'GET /orgs',
    summary: 'List the organizations you belong to',
    query: page,
    reply: list(Organization),
  },
  createOrganization: {
    route: 'POST /orgs',
    summary: 'Create an organization with you as its admin',
    body: CreateOrganization,
    reply: Organization,
    status: 201,
  },
  getOrganizationById: {
    route: 'GET /orgs/{organizationId}',
    summary: 'Get an organization',
    reply: Organization,
    errors: ['not_found'],
  },
})
