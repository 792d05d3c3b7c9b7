import { z } from 'zod'
import { onlyFields, text, Url } from '@recto/contracts-shared'

/** Limits of the OpenID provider of a site. */
export const visitorProviderLimits = {
  issuer: 1_024,
  clientId: 256,
  clientSecret: 1_024,
  scopes: 10,
  scope: 100,
  claims: 50,
  claimName: 64,
  claimPath: 256,
} as const

/** The beginning of the tokens of sessions of visitors: only the cookie that the end of a sign-in has set brings one. */
export const visitorSessionPrefix = 'rvs_'

/** Paths below a site at which its reader signs visitors in and out by its OpenID provider. */
export const visitorSignInPaths = {
  /** Leads to the provider; `location` is the path below the site to come back to. */
  signIn: '~recto/sign-in',
  /** Where the provider sends visitors back to. */
  callback: '~recto/sign-in/callback',
  signOut: '~recto/sign-out',
  /** Where visitors come to after they signed out. */
  signedOut: '~recto/signed-out',
} as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const Issuer = text({ min: 1, max: visitorProviderLimits.issuer }).refine(
  isIssuer,
  'must be an https URL without credentials, query and fragment; http is for a provider on the machine itself',
)

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  if (username !== '' || password !== '' || /[?#]/.test(value)) return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}

const Scope = z
  .string()
  .refine(
    scope => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope) && scope.length <= visitorProviderLimits.scope,
    `must be a scope of OAuth, of at most ${visitorProviderLimits.scope} characters`,
  )

const ownNames = new Set(['unsigned', '__proto__', 'constructor', 'prototype'])

const ClaimName = z
  .string()
  .refine(
    name => /^[^\p{Cc}\p{Cs}]+$/u.test(name) && name.length <= visitorProviderLimits.claimName && !ownNames.has(name),
    `must be a name of at most ${visitorProviderLimits.claimName} characters, and not \`unsigned\``,
  )

/** Claims of visitors by name, each with where it comes from. */
const claimsFrom = <Source extends z.ZodType>(source: Source) =>
  z
    .record(ClaimName, source)
    .refine(
      claims => Object.keys(claims).length <= visitorProviderLimits.claims,
      `must have at most ${visitorProviderLimits.claims} claims`,
    )

/** Claims that members of an organization have, of which those of visitors are made. */
export const memberClaimNames = ['sub', 'email', 'name', 'organization', 'role', 'teams'] as const

const memberClaims =
  'Claims of visitors by name, each with which one of the member it is. Without, visitors have all of them: `sub` is the id of the user, `role` that in the organization (`guest` for none), and `teams` are ids'

/** That members of the organization sign in as visitors of a site, as replies have it. */
export const MemberVisitors = z
  .object({ claims: z.record(z.string(), z.enum(memberClaimNames)).optional().describe(memberClaims) })
  .meta({ id: 'SiteMemberVisitors', description: 'Members of the organization sign in as visitors of a site' })

/** That members of the organization sign in as visitors of a site, to be set. */
export const UpdateMemberVisitors = z
  .strictObject(
    { claims: claimsFrom(z.enum(memberClaimNames)).optional().describe(memberClaims) },
    onlyFields('claims'),
  )
  .meta({
    id: 'UpdateSiteMemberVisitors',
    description: 'Members of the organization sign in as visitors of a site, to be set',
  })

/** The OpenID provider that signs the visitors of a site in, as replies have it: without its secret. */
export const VisitorProvider = z
  .object({
    issuer: Url.describe('Identifier of the provider'),
    clientId: z.string().describe('Id of the client that the site is at the provider'),
    hasClientSecret: z.boolean().describe('Whether a secret is stored; it is in no reply'),
    scopes: z.array(z.string()),
    claims: z
      .record(z.string(), z.string())
      .optional()
      .describe('Claims of visitors by name, each with where it is in the claims of the provider'),
    redirectURLs: z.array(Url).describe('To be registered at the provider: where it sends visitors back to'),
    postLogoutRedirectURLs: z
      .array(Url)
      .describe('To be registered at the provider: where it sends visitors who signed out'),
    backchannelLogoutURL: Url.describe('To be registered at the provider: where it says that a session has ended'),
  })
  .meta({ id: 'SiteVisitorProvider', description: 'The OpenID provider that signs the visitors of a site in' })

/** The OpenID provider of a site, to be set. */
export const UpdateVisitorProvider = z
  .strictObject(
    {
      issuer: Issuer.describe('Identifier of the provider, below which its metadata is found'),
      clientId: text({ min: 1, max: visitorProviderLimits.clientId }).describe(
        'Id of the client that the site is at the provider',
      ),
      clientSecret: text({ min: 1, max: visitorProviderLimits.clientSecret })
        .nullable()
        .optional()
        .describe(
          'Is never shown again. Left out, the one that is stored stays, for the same issuer and client; `null` is a public client, which proves itself by PKCE alone',
        ),
      scopes: z
        .array(Scope)
        .max(visitorProviderLimits.scopes)
        .default(['profile', 'email'])
        .describe('Scopes besides `openid`'),
      claims: claimsFrom(text({ min: 1, max: visitorProviderLimits.claimPath }))
        .optional()
        .describe(
          'Claims of visitors by name, each with where it is in the claims of the provider: a whole name, or names joined by dots. Without, visitors have `sub`, `email`, `email_verified`, `name` and `groups`, as far as the provider says them',
        ),
    },
    onlyFields('issuer', 'clientId', 'clientSecret', 'scopes', 'claims'),
  )
  .meta({ id: 'UpdateSiteVisitorProvider', description: 'The OpenID provider of a site, to be set' })
