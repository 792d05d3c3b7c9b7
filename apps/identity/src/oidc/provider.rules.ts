import type { Role } from '@recto/actor'
import { fieldFault } from '@recto/operation'
import type { OidcProviderRow } from './provider.entity.ts'

const anyDomain = '*'
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** The scopes that are asked for unless a provider has others. */
export const defaultScopes = ['openid', 'email', 'profile']

/** A provider that is completely configured, so that members can sign in with it. */
export interface ActiveProvider extends OidcProviderRow {
  issuer: string
  clientId: string
  clientSecret: Buffer
}

/** A requested change: absent fields are kept; `null` and an empty string clear. The secret is encrypted already. */
export interface ProviderSettings {
  label?: string | undefined
  issuer?: string | null | undefined
  clientID?: string | null | undefined
  clientSecret?: Buffer | null | undefined
  emailDomains?: string[] | undefined
  scopes?: string[] | undefined
  defaultTeam?: string | null | undefined
  defaultRole?: Role | null | undefined
}

/** The provider after a change; throws `invalid_request` for an issuer that is none, and for another one without its secret. */
export function applySettings(row: OidcProviderRow, settings: ProviderSettings): OidcProviderRow {
  const { label = row.label, issuer = row.issuer, clientID = row.clientId, clientSecret = row.clientSecret } = settings
  const { emailDomains = row.emailDomains, scopes = row.scopes } = settings
  const { defaultTeam = row.defaultTeam, defaultRole = row.defaultRole } = settings
  const after = {
    ...row,
    label,
    issuer: issuer || null,
    clientId: clientID || null,
    clientSecret,
    emailDomains: [...new Set(emailDomains.map(domain => domain.toLowerCase()))],
    scopes: [...new Set(scopes)],
    defaultTeam,
    defaultRole,
  }
  if (after.issuer !== row.issuer && after.issuer !== null) requireIssuer(after.issuer)
  // The secret of one provider must not be sent to another, which the admin of today may have made.
  const keepsSecret = row.clientSecret !== null && settings.clientSecret === undefined
  if (after.issuer !== row.issuer && after.issuer !== null && keepsSecret)
    throw fieldFault('body.clientSecret', 'is needed with another issuer')
  return after
}

function requireIssuer(text: string): void {
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  if (protocol !== 'https:' && !loopback.includes(hostname)) throw fieldFault('body.issuer', 'must be an https URL')
  if (search || hash || username || password || text.includes('?') || text.includes('#'))
    throw fieldFault('body.issuer', 'must have no query, fragment and credentials')
  if (text.includes('/.well-known/')) throw fieldFault('body.issuer', 'must be the issuer, not the URL of its metadata')
}

/** Whether members can sign in with a provider. */
export function isActive(row: OidcProviderRow): row is ActiveProvider {
  return row.issuer !== null && row.clientId !== null && row.clientSecret !== null && row.emailDomains.length > 0
}

/** Whether a change ends what was signed in to before: the provider is not complete any more, is another one, or knows us as another client. */
export function endsSignIns(before: OidcProviderRow, after: OidcProviderRow): boolean {
  if (!isActive(before)) return false
  return !isActive(after) || after.issuer !== before.issuer || after.clientId !== before.clientId
}

/** Whether a provider may assert an e-mail: its domain is listed, or all are. */
export function acceptsEmail({ emailDomains }: Pick<OidcProviderRow, 'emailDomains'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return emailDomains.includes(anyDomain) || emailDomains.includes(domain)
}

/** Our addresses for one provider. */
export function serviceUrls({ organizationId, id }: Pick<OidcProviderRow, 'organizationId' | 'id'>, publicUrl: string) {
  const location = `${publicUrl}/v1/orgs/${organizationId}/oidc/${id}`
  return {
    location,
    redirectURL: `${location}/callback`,
    backchannelLogoutURL: `${location}/backchannel-logout`,
    startURL: `${location}/start`,
  }
}
