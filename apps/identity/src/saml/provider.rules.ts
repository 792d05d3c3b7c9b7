import { unsetUrl } from '@recto/contracts-identity'
import type { Role } from '@recto/actor'
import { fieldFault } from '@recto/operation'
import { certificateFault, usableCertificates } from './certificates.rules.ts'
import type { ProviderRow } from './provider.entity.ts'

/** A provider that is completely configured, so that members can sign in with it. */
export interface ActiveProvider extends ProviderRow {
  ssoUrl: string
  entityId: string
  certificate: string
}

/** A requested change: absent fields are kept; `null`, an empty string and the placeholder address clear. */
export interface ProviderSettings {
  label?: string | undefined
  ssoURL?: string | null | undefined
  entityID?: string | null | undefined
  certificate?: string | null | undefined
  defaultTeam?: string | null | undefined
  defaultRole?: Role | null | undefined
}

/** The provider after a change; throws `invalid_request` for unusable certificates. */
export function applySettings(row: ProviderRow, settings: ProviderSettings): ProviderRow {
  if (settings.certificate) requireUsableCertificate(settings.certificate)
  const { label = row.label, ssoURL = row.ssoUrl, entityID = row.entityId, certificate = row.certificate } = settings
  const { defaultTeam = row.defaultTeam, defaultRole = row.defaultRole } = settings
  return {
    ...row,
    label,
    ssoUrl: ssoURL === unsetUrl ? null : ssoURL || null,
    entityId: entityID || null,
    certificate: certificate || null,
    defaultTeam,
    defaultRole,
  }
}

function requireUsableCertificate(text: string): void {
  const message = certificateFault(text)
  if (message !== undefined) throw fieldFault('body.certificate', message)
}

/** Whether members can sign in with a provider. */
export function isActive(row: ProviderRow): row is ActiveProvider {
  return (
    row.ssoUrl !== null &&
    row.entityId !== null &&
    row.certificate !== null &&
    usableCertificates(row.certificate).length > 0
  )
}

/**
 * Whether a change ends what was signed in to before: the provider is not complete any more, is another identity provider, or
 * trusts none of the keys that it trusted. A key that is replaced while both are trusted ends nothing.
 */
export function endsSignIns(before: ProviderRow, after: ProviderRow): boolean {
  if (!isActive(before)) return false
  if (!isActive(after) || after.entityId !== before.entityId) return true
  const trusted = new Set(keysOf(before))
  return !keysOf(after).some(key => trusted.has(key))
}

function keysOf({ certificate }: ActiveProvider): string[] {
  return usableCertificates(certificate).map(({ publicKey }) => publicKey)
}

/** The addresses and the entity id of this service provider for one identity provider. */
export function serviceUrls({ organizationId, id }: Pick<ProviderRow, 'organizationId' | 'id'>, publicUrl: string) {
  const location = `${publicUrl}/v1/orgs/${organizationId}/saml/${id}`
  return { location, acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` }
}
