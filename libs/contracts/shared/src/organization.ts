import { z } from 'zod'
import { Id, Role, Timestamp, Url } from './conventions.ts'
import { OrganizationMergeRules } from './merge-rules.ts'
import { organizationRights, permissionsOf } from './rights.ts'

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

/** Types of organizations. */
export const OrganizationType = z.enum(['business', 'community'])
/** The use that an organization makes of the platform. */
export const UseCase = z.enum(useCases)
const permissions = permissionsOf(organizationRights)
// An identity of the version before does not send `access`.
const OrganizationPermissions = permissions.extend({ access: permissions.shape.access.default(false) }).meta({
  id: 'OrganizationPermissions',
  description: 'What the caller may do with the organization',
})

/** An organization as replies show it. */
export const Organization = z
  .object({
    object: z.literal('organization'),
    id: Id,
    title: z.string(),
    createdAt: Timestamp,
    emailDomains: z.array(z.string()).describe('E-mail domains whose users may join'),
    hostname: z.string().optional().describe("Default hostname of the organization's published sites"),
    type: OrganizationType,
    useCase: UseCase.optional(),
    defaultRole: Role.nullable().optional(),
    defaultContent: z
      .object({ type: z.literal('site'), site: Id })
      .optional()
      .describe('The site where people who come to the organization begin; it stays when the site is deleted'),
    sso: z.boolean().describe('Single sign-on is required: other tokens are refused, except those of admins'),
    ai: z.boolean(),
    inviteLinks: z.boolean().describe('Whether link invites can be used'),
    // An identity of the version before does not send it.
    auditLogs: z.boolean().default(true).describe('Whether there is an audit log, which admins read: always true'),
    plan: z.enum(['free', 'enterprise_2024']),
    mergeRules: OrganizationMergeRules,
    internal_isOnNewTrial: z.literal(true).meta({ deprecated: true, description: 'Always true' }),
    trial: z
      .object({ status: z.literal('notapplicable'), count: z.literal(0).default(0) })
      .describe('State of the trial; a self-hosted installation has none'),
    urls: z.object({ location: Url, app: Url, logo: Url.optional() }),
    permissions: OrganizationPermissions,
  })
  .meta({
    id: 'Organization',
    description:
      'An organization: owns spaces and has members with roles. Guests and outsiders learn no settings: `mergeRules` are none, `inviteLinks` and `ai` false, `emailDomains` those that they asked for',
  })
