import { operations } from '@recto/operation'
import { z } from 'zod'
import {
  HttpUrl,
  Id,
  list,
  Organization,
  OrganizationMergeRules,
  OrganizationType,
  page,
  Role,
  text,
  UseCase,
} from '@recto/contracts-shared'

const EmailDomains = z.array(text({ min: 1, max: 253 }).regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain name')).max(100)

const CreateOrganization = z
  .object({
    title: text({ min: 2, max: 255 }),
    type: OrganizationType.default('business'),
    useCase: UseCase.optional(),
    emailDomains: EmailDomains.default([]),
  })
  .meta({ id: 'CreateOrganization', description: 'An organization to create' })

const hostname = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/

const UpdateOrganization = z
  .object({
    title: text({ min: 2, max: 255 }).optional(),
    emailDomains: EmailDomains.optional(),
    hostname: z
      .string()
      .regex(hostname, 'must be 3 to 32 lower-case letters, digits and inner hyphens')
      .nullable()
      .optional(),
    defaultRole: Role.nullable().optional().describe('Role of new members; null makes them guests'),
    defaultContent: z
      .object({ type: z.literal('site'), site: Id })
      .nullable()
      .optional(),
    logo: HttpUrl.nullable().optional(),
    sso: z.boolean().optional(),
    ai: z.boolean().optional(),
    inviteLinks: z.boolean().optional(),
    mergeRules: OrganizationMergeRules.optional(),
  })
  .meta({ id: 'UpdateOrganization', description: 'Fields of an organization to update; null clears' })

/** Operations on organizations. */
export const organizations = operations({
  listOrganizationsForAuthenticatedUser: {
    route: 'GET /orgs',
    summary: 'List the organizations of the authenticated user',
    query: page,
    reply: list(Organization),
  },
  createOrganization: {
    route: 'POST /orgs',
    summary: 'Create an organization, with the caller as its admin',
    body: CreateOrganization,
    reply: Organization,
    creates: 'resource',
  },
  getOrganizationById: {
    route: 'GET /orgs/{organizationId}',
    summary: 'Get an organization',
    reply: Organization,
    errors: ['not_found'],
  },
  updateOrganizationById: {
    route: 'PATCH /orgs/{organizationId}',
    summary: 'Update an organization',
    body: UpdateOrganization,
    reply: Organization,
    errors: ['not_found', 'conflict'],
  },
  getOrganizationsForEmailDomain: {
    route: 'GET /email-domains/{emailDomain}/orgs',
    summary: 'List the organizations that accept an e-mail domain',
    reply: z.object({ organizations: z.array(Organization) }),
    errors: ['not_found'],
  },
})
