import { z } from 'zod'
import {
  flag,
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
  endpoints,
  anyUser,
  guests,
  inOrganization,
} from '@recto/contracts-shared'

const EmailDomains = z.array(text({ min: 1, max: 253 }).regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain name')).max(100)

const Onboarding = z
  .object({
    source: z
      .enum(['markdown-in-git', 'import', 'template'])
      .nullable()
      .describe('`template` has the site start with sample pages; with another one it is empty until content comes'),
    audience: z
      .enum(['public', 'mixed', 'protected', 'internal'])
      .nullable()
      .describe('`protected` has readers come by share links, `internal` log in; else the site is public'),
    interests: z.array(z.enum(['adaptive-content', 'api-docs', 'proactive-agent'])).describe('Has no effect'),
  })
  .meta({ id: 'OnboardingPreferences', description: 'How the default site of an organization starts' })

const CreateOrganization = z
  .object({
    title: text({ min: 2, max: 255 }),
    type: OrganizationType.default('business'),
    useCase: UseCase.optional(),
    emailDomains: EmailDomains.default([]),
    onboardingPreferences: Onboarding.optional().describe('Of the default site, with `withDefaultSite` alone'),
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
export const organizations = endpoints({
  listOrganizationsForAuthenticatedUser: {
    route: 'GET /orgs',
    summary: 'List the organizations of the authenticated user',
    description:
      'The newest come first, with those in which you are a guest. An organization that refuses your token because it requires single sign-on is listed with its name and without its settings.',
    query: page,
    reply: list(Organization),
    scope: 'organization:read',
    access: anyUser,
  },
  createOrganization: {
    route: 'POST /orgs',
    summary: 'Create an organization, with the caller as its admin',
    description:
      'With `withDefaultSite` a site with one space is created first; where that is refused (409) or fails, there is no organization either. A token of a single sign-on is refused (403).',
    query: z.object({
      withDefaultSite: flag(false).describe('`true` also creates a site with a space, as the default content'),
      openapiUrl: HttpUrl.optional().describe(
        'A specification that becomes `api`, and pages of that space; with `withDefaultSite` alone',
      ),
    }),
    body: CreateOrganization,
    reply: Organization,
    creates: 'resource',
    limits: { timeoutMs: 60_000 },
    errors: ['conflict'],
    records: ['organization.created', 'member.added'],
    scope: 'organization:write',
    access: anyUser,
    examples: [{ body: { title: 'Acme', emailDomains: ['acme.example'] } }],
  },
  getOrganizationById: {
    route: 'GET /orgs/{organizationId}',
    summary: 'Get an organization',
    description:
      'Guests get its name, dates, logo and `sso`; other settings have the same neutral values for all of them.',
    reply: Organization,
    errors: ['not_found'],
    scope: 'organization:read',
    access: guests,
  },
  updateOrganizationById: {
    route: 'PATCH /orgs/{organizationId}',
    summary: 'Update an organization',
    description:
      'Fields that are left out stay. A `hostname` that another organization has is refused (409), as are a user of `mergeRules` who is not in the organization (404) and a `defaultContent` that is no site of it (400). Once `sso` is set, tokens of members that do not come from its single sign-on are refused, except those of admins.',
    body: UpdateOrganization,
    reply: Organization,
    errors: ['not_found', 'conflict'],
    records: ['organization.updated'],
    scope: 'organization:write',
    access: inOrganization('admin'),
    examples: [
      { body: { defaultContent: { type: 'site', site: '{siteId}' } } },
      { body: { mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['{userId}'] }] } } },
    ],
  },
  getOrganizationsForEmailDomain: {
    route: 'GET /email-domains/{emailDomain}/orgs',
    summary: 'List the organizations that accept an e-mail domain',
    description:
      'For the domain of your own e-mail these are the organizations that you may join by it; for others only those that you belong to. Administrators of the platform see all of them.',
    reply: z.object({ organizations: z.array(Organization) }),
    errors: ['not_found'],
    scope: 'organization:read',
    access: anyUser,
    examples: [{ ignores: ['emailDomain'] }],
  },
})
