import { z } from 'zod'
import {
  empty,
  HttpUrl,
  Id,
  list,
  page,
  text,
  Timestamp,
  Url,
  endpoints,
  inOrganization,
  guests,
  anyone,
} from '@recto/contracts-shared'
import { newUserDefaults, newUserSettings, notSignedIn, signInQuery } from './sign-in-parts.ts'

/** Stands for a URL that is not set: the specification requires one. */
export const unsetUrl = 'about:blank'

const SamlProvider = z
  .object({
    object: z.literal('saml-provider'),
    id: Id,
    label: z.string(),
    ssoURL: z.string().describe('Single sign-on URL of the identity provider'),
    entityID: z.string().describe('Entity id of the identity provider'),
    certificate: z
      .string()
      .describe('Signing certificates of the identity provider: one or several, PEM or base64 of DER'),
    ...newUserDefaults,
    createdAt: Timestamp,
    status: z.enum(['pending', 'active']).describe('Active once entity id, URL and a certificate are set'),
    service: z
      .object({ acsURL: Url, startURL: Url, entityID: z.string() })
      .describe('Settings for the identity provider: our URLs and entity id'),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'SamlProvider', description: 'An identity provider that members sign in with' })

const settings = {
  entityID: text({ max: 1024 }).nullable().optional(),
  certificate: text({ max: 10_000 })
    .nullable()
    .optional()
    .describe(
      'One or several certificates, any of which may verify: PEM blocks, or one base64 DER per line; RSA with at least 2048 bits, P-256, P-384 or P-521',
    ),
  ssoURL: HttpUrl.or(z.enum(['', unsetUrl]))
    .nullable()
    .optional()
    .describe('Empty, `about:blank` and null clear it'),
  ...newUserSettings,
}

const CreateSamlProvider = z
  .object({ label: text({ min: 1, max: 30 }), ...settings })
  .meta({ id: 'CreateSamlProvider', description: 'An identity provider to create' })
const UpdateSamlProvider = z
  .object({ label: text({ min: 1, max: 30 }).optional(), ...settings })
  .meta({ id: 'UpdateSamlProvider', description: 'Fields of an identity provider to update' })

const SamlResponse = z
  .object({ SAMLResponse: z.string().min(1), RelayState: z.string().max(1024).optional() })
  .meta({ id: 'SamlResponse', description: 'The form of the SAML 2.0 HTTP POST binding' })

/** Operations on SAML providers, and the sign-in itself. */
export const saml = endpoints({
  listSAMLProvidersInOrganizationById: {
    route: 'GET /orgs/{organizationId}/saml',
    summary: 'List the SAML providers of an organization',
    description: 'The newest come first, with those that nobody can sign in with yet (`pending`).',
    query: page,
    reply: list(SamlProvider),
    errors: ['not_found'],
    scope: 'organization:sso:read',
    access: inOrganization('admin'),
  },
  createOrganizationSAMLProvider: {
    route: 'POST /orgs/{organizationId}/saml',
    summary: 'Create a SAML provider',
    description:
      'It becomes `active` when entity id, URL and certificate are set; `service` of the reply names what the identity provider has to know. A `defaultRole` above your own is refused (403), and a `defaultTeam` that the organization does not have (404).',
    body: CreateSamlProvider,
    reply: SamlProvider,
    creates: 'resource',
    errors: ['not_found'],
    records: ['saml-provider.created'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
    examples: [{ body: { label: 'Company login', defaultTeam: '{teamId}' } }],
  },
  getOrganizationSAMLProviderById: {
    route: 'GET /orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Get a SAML provider',
    description: '`service` has the settings for the identity provider, `status` says whether members can sign in.',
    reply: SamlProvider,
    errors: ['not_found'],
    scope: 'organization:sso:read',
    access: inOrganization('admin'),
  },
  updateOrganizationSAMLProvider: {
    route: 'PATCH /orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Update a SAML provider',
    description:
      'Fields that are left out stay. Tokens of earlier sign-ins end when the provider is not complete any more, gets another `entityID`, or trusts none of the keys that it trusted: to change a key, have it trust both for a while.',
    body: UpdateSamlProvider,
    reply: SamlProvider,
    errors: ['not_found'],
    records: ['saml-provider.updated'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
    examples: [{ body: { defaultTeam: '{teamId}' } }],
  },
  deleteOrganizationSAMLProvider: {
    route: 'DELETE /orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Delete a SAML provider',
    description: 'Tokens that came from it end; users and members stay. A provider that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['saml-provider.deleted'],
    scope: 'organization:sso:write',
    access: inOrganization('admin'),
  },
  listSSOProviderLoginsInOrganization: {
    route: 'GET /orgs/{organizationId}/sso',
    summary: 'List the sign-in URLs of an organization',
    description:
      'Those of SAML and of OpenID providers that are `active`. Open to members whose token is refused elsewhere because the organization requires single sign-on.',
    reply: z.object({ items: z.array(z.object({ id: Id, label: z.string(), startURL: Url })) }),
    errors: ['not_found'],
    scope: 'organization:read',
    access: guests,
  },
  getSamlServiceMetadata: {
    route: 'GET /orgs/{organizationId}/saml/{samlProviderId}/metadata',
    summary: 'Get the SAML 2.0 metadata of the service provider',
    description: 'XML with which an identity provider is set up; it is there while the provider is `pending`, too.',
    response: { mediaType: 'application/samlmetadata+xml' },
    reply: z.string(),
    access: anyone,
    errors: ['not_found'],
  },
  startSamlSignIn: {
    route: 'GET /orgs/{organizationId}/saml/{samlProviderId}/start',
    summary: 'Start a sign-in: redirect to the identity provider',
    description:
      'The sign-in has to be completed within ten minutes. With `interaction` it ends at the authorization pages instead of a page with a token. A provider that is not complete is 404; failures are pages for the person who sees them.',
    query: signInQuery,
    reply: empty,
    status: 302,
    response: { failurePage: notSignedIn },
    access: anyone,
    errors: ['not_found'],
  },
  receiveSamlResponse: {
    route: 'POST /orgs/{organizationId}/saml/{samlProviderId}/acs',
    summary: 'Complete a sign-in: verify the SAML response and show an access token',
    description:
      'The browser brings it from the identity provider, as an answer to a sign-in that began here; it is accepted once. The token is valid in this organization alone, for a day unless the installation says otherwise. A refusal (401) does not say why: the log does.',
    request: { form: true },
    response: { mediaType: 'text/html', failurePage: notSignedIn },
    body: SamlResponse,
    reply: z.string(),
    records: [
      'member.signed-in',
      'member.sign-in.refused',
      'member.added',
      'member.updated',
      'team.member.added',
      'invite.deleted',
    ],
    access: anyone,
    examples: [{ form: { SAMLResponse: 'bm90aGluZw==' }, answers: 401 }],
    errors: ['not_found', 'unauthenticated'],
  },
})
