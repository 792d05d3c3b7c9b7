import { noAddress } from '@recto/contracts'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { certificateFault, usableCertificates } from './certificates.rules.ts'
import type { ProviderRow } from './provider.entity.ts'

/** A provider that people can sign in with: everything that takes is there. */
export interface ActiveProvider extends ProviderRow {
  ssoUrl: string
  entityId: string
  certificate: string
}

/** What a caller asks to change: absent keeps, `null` clears, and so does an empty text, and an address that leads nowhere. */
export interface Settings {
  label?: string | undefined
  ssoURL?: string | null | undefined
  entityID?: string | null | undefined
  certificate?: string | null | undefined
  defaultTeam?: string | null | undefined
  defaultRole?: Role | null | undefined
}

/** The provider after a change; throws `invalid_request` for what must not be kept. */
export function configured(row: ProviderRow, settings: Settings): ProviderRow {
  if (settings.certificate) requireTrustable(settings.certificate)
  const { label = row.label, ssoURL = row.ssoUrl, entityID = row.entityId, certificate = row.certificate } = settings
  const { defaultTeam = row.defaultTeam, defaultRole = row.defaultRole } = settings
  return {
    ...row,
    label,
    ssoUrl: ssoURL === noAddress ? null : ssoURL || null,
    entityId: entityID || null,
    certificate: certificate || null,
    defaultTeam,
    defaultRole,
  }
}

function requireTrustable(text: string): void {
  const message = certificateFault(text)
  if (message === undefined) return
  throw new Failure('invalid_request', `body.certificate: ${message}`, {
    details: [{ path: 'body.certificate', message }],
  })
}

export function isActive(row: ProviderRow): row is ActiveProvider {
  return (
    row.ssoUrl !== null &&
    row.entityId !== null &&
    row.certificate !== null &&
    usableCertificates(row.certificate).length > 0
  )
}

/** What the identity provider must know of us. */
export function serviceOf({ organizationId, id }: Pick<ProviderRow, 'organizationId' | 'id'>, publicUrl: string) {
  const location = `${publicUrl}/v1/orgs/${organizationId}/saml/${id}`
  return { location, acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` }
}
