import { z } from 'zod'
import { HttpUrl, text, Timestamp, endpoints, onResource } from '@recto/contracts-shared'
import { adaptiveSchemaFaults } from './adaptive-schema-faults.ts'
import { MemberVisitors, UpdateMemberVisitors, UpdateVisitorProvider, VisitorProvider } from './visitor-providers.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'

const noIntegrations = 'must be custom: integrations do not exist here, a server of yours logs visitors in'

/** How visitors of a site log in. */
export const SitePublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.literal('custom'),
    privateKey: z.string().describe('Signs the tokens (JWT, HS256) of the server that logs visitors in'),
    fallbackURL: z.string().optional().describe('Where visitors log in'),
    logoutURL: z.string().optional().describe('Where visitors go after they signed out of the site'),
    previousKeyUntil: Timestamp.optional().describe('Until then, the key before the last regeneration is valid too'),
    oidc: VisitorProvider.optional().describe('The OpenID provider that signs visitors in'),
    members: MemberVisitors.optional().describe('Members of the organization sign in, without a provider'),
  })
  .meta({ id: 'SitePublishingAuth', description: 'How visitors of a site log in' })

const UpdateSitePublishingAuth = z
  .object({
    backend: z.literal('custom', { error: noIntegrations }).optional(),
    fallbackURL: HttpUrl.nullable().optional().describe('Where visitors log in; null removes it'),
    logoutURL: HttpUrl.nullable().optional().describe('Where visitors go after they signed out; null removes it'),
    oidc: UpdateVisitorProvider.nullable()
      .optional()
      .describe('The OpenID provider that signs visitors in, instead of the `fallbackURL`; null removes it'),
    members: UpdateMemberVisitors.nullable()
      .optional()
      .describe(
        'Members of the organization sign in, instead of the `fallbackURL`; `{}` is enough, and null ends it. A site has this or `oidc`',
      ),
  })
  .meta({ id: 'UpdateSitePublishingAuth', description: 'Changes of how visitors of a site log in' })

const aProvider = {
  issuer: 'https://login.example.com/realms/acme',
  clientId: 'docs',
  clientSecret: 'a-secret',
  claims: { plan: 'https://acme.com/plan', groups: 'realm_access.roles' },
}

const RegenerateSitePublishingAuth = z
  .object({
    revoke: z
      .boolean()
      .default(false)
      .describe('End the old key and all visits at once, as after a leak; else it is valid for another 24 hours'),
  })
  .meta({ id: 'RegenerateSitePublishingAuth', description: 'How the key of a site is replaced' })

/** How visitors of sites log in. */
export const sitePublishingAuth = endpoints({
  getSitePublishingAuthById: {
    route: `GET ${sitePath}/publishing/auth`,
    summary: 'Get how visitors log in, with the private key',
    description:
      'With this key your login server signs the tokens with which visitors come. The first call makes it. Whoever has it opens the site, so it is shown to those only who may change the site.',
    reply: SitePublishingAuth,
    errors: ['not_found'],
    scope: 'site:auth:read',
    access: onResource('create'),
  },
  updateSitePublishingAuthById: {
    route: `PATCH ${sitePath}/publishing/auth`,
    summary: 'Change where visitors log in, and where they go after they signed out',
    description:
      'Fields that are left out stay, and `null` clears. `oidc` replaces the whole provider; another issuer, client or mapping of claims ends all visits. `members` signs members of the organization in, who see the site, and needs no provider; a site has one of the two, so that the other is set to `null` in the same request. Without `fallbackURL`, `oidc` and `members`, visitors of a site with `visibility` `visitor-auth` who come without a token are refused.',
    body: UpdateSitePublishingAuth,
    reply: SitePublishingAuth,
    errors: ['not_found'],
    records: ['site.authentication.updated'],
    scope: 'site:auth:write',
    access: onResource('create'),
    examples: [
      { body: { fallbackURL: 'https://login.test' } },
      { body: { oidc: aProvider } },
      { body: { oidc: null, members: {} } },
    ],
  },
  regenerateSitePublishingAuthById: {
    route: `POST ${sitePath}/publishing/auth/regenerate`,
    summary: 'Replace the private key',
    description:
      'The key before stays valid for 24 hours, so that login servers can get the new one. After a leak, `revoke` ends it and all visits at once.',
    body: RegenerateSitePublishingAuth,
    request: { optionalBody: true },
    reply: SitePublishingAuth,
    creates: 'effect',
    errors: ['not_found'],
    records: ['site.authentication.key.regenerated'],
    scope: 'site:auth:write',
    access: onResource('create'),
  },
})

const description = text({ max: 256 })
const closed = { additionalProperties: z.literal(false) }
const EnumValue = text({ min: 1, max: 128 })

const BooleanClaim = z.strictObject({ type: z.literal('boolean'), description })
const NumberClaim = z.strictObject({ type: z.literal('number'), description })
const StringClaim = z.strictObject({
  type: z.literal('string'),
  description,
  enum: z.array(EnumValue).min(1).max(100).optional(),
})
const primitives = [BooleanClaim, NumberClaim, StringClaim] as const
const ArrayClaim = z.strictObject({
  type: z.literal('array'),
  description,
  items: z.discriminatedUnion('type', [...primitives]),
})
const leaves = [...primitives, ArrayClaim] as const
const objectOf = <T extends z.ZodType>(claim: T) =>
  z.strictObject({ type: z.literal('object'), description, properties: z.record(z.string(), claim), ...closed })

// Level by level instead of by recursion: a schema can be nested deeper than the stack is.
const Claim1 = z.discriminatedUnion('type', [...leaves])
const Claim2 = z.discriminatedUnion('type', [...leaves, objectOf(Claim1)])
const Claim3 = z.discriminatedUnion('type', [...leaves, objectOf(Claim2)])
const Claim4 = z.discriminatedUnion('type', [...leaves, objectOf(Claim3)])
const Claim = z
  .discriminatedUnion('type', [...leaves, objectOf(Claim4)])
  .meta({ id: 'SiteAdaptiveClaim', description: 'A claim of a visitor, of at most five levels' })

/** The JSON schema of the claims of a site's visitors. */
export const SiteAdaptiveJsonSchema = z
  .strictObject({
    $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
    type: z.literal('object'),
    properties: z
      .object({
        unsigned: z
          .strictObject({
            type: z.literal('object'),
            description: z.literal('Unsigned claims of the site visitor.'),
            properties: z.record(z.string(), Claim),
            ...closed,
          })
          .optional()
          .describe('Claims that visitors make without proof'),
      })
      .catchall(Claim),
    ...closed,
  })
  .superRefine((schema, context) => {
    for (const { path, message } of adaptiveSchemaFaults(schema)) context.addIssue({ code: 'custom', path, message })
  })
  .meta({ id: 'SiteAdaptiveJSONSchema', description: 'A restricted JSON Schema (draft-07) of the claims of visitors' })

const SiteAdaptiveSchema = z
  .object({ object: z.literal('site-adaptive-schema'), jsonSchema: SiteAdaptiveJsonSchema, updatedAt: Timestamp })
  .meta({ id: 'SiteAdaptiveSchema', description: 'What is known of the visitors of a site' })

const TemplateCondition = z
  .object({ description: z.string(), condition: z.string() })
  .meta({ id: 'SiteAdaptiveTemplateCondition', description: 'A condition that the schema of a site suggests' })

/** Operations on the schema of visitors' claims. */
export const adaptiveSchemas = endpoints({
  getSiteAdaptiveSchema: {
    route: `GET ${sitePath}/adaptive-schema`,
    summary: 'Get what is known of the visitors of a site',
    description: 'A site has none (404) until it is set.',
    reply: SiteAdaptiveSchema,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  updateSiteAdaptiveSchema: {
    route: `PUT ${sitePath}/adaptive-schema`,
    summary: 'Set what is known of the visitors of a site',
    description:
      'Replaces the schema, and ends the visits of the site, as what is not declared any more must not count. Objects are closed, of five levels at most; faults are named with their path (400).',
    body: z
      .object({ jsonSchema: SiteAdaptiveJsonSchema })
      .meta({ id: 'UpdateSiteAdaptiveSchema', description: 'What is known of the visitors of a site' }),
    reply: SiteAdaptiveSchema,
    errors: ['not_found'],
    records: ['site.adaptive-schema.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      {
        body: {
          jsonSchema: {
            type: 'object',
            additionalProperties: false,
            properties: { beta: { type: 'boolean', description: 'Tests betas' } },
          },
        },
      },
    ],
  },
  listSiteAdaptiveTemplateConditions: {
    route: `GET ${sitePath}/adaptive-schema/template-conditions`,
    summary: 'List the conditions that the schema suggests: one for each boolean and each value of an enumeration',
    description: 'None without a schema. They can be set as the `condition` of a section or space as they are.',
    reply: z.object({ items: z.array(TemplateCondition) }),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
})
