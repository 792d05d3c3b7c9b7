import { X509Certificate } from 'node:crypto'
import { noAddress } from '@recto/contracts'
import { Failure, type Role } from '@recto/operation'
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
  return { ...row, label, ssoUrl: ssoURL === noAddress ? null : ssoURL || null, entityId: entityID || null, certificate: certificate || null, defaultTeam, defaultRole }
}

/** Which of several would be trusted is not for us to guess; and a private key must not be shown to every admin. */
function requireTrustable(text: string): void {
  const blocks = text.match(/-----BEGIN [^-]*-----/g) ?? []
  if (blocks.some(block => block.includes('PRIVATE KEY'))) throw badCertificate('must not have a private key')
  if (blocks.length > 1) throw badCertificate('must be a single certificate')
  const found = parsed(text)
  if (found && found.key !== 'rsa') throw badCertificate('must be of an RSA key')
}

function badCertificate(message: string): Failure {
  return new Failure('invalid_request', `body.certificate: ${message}`, { details: [{ path: 'body.certificate', message }] })
}

/**
 * A certificate in PEM, undefined when it cannot be read or its key is not RSA's, whose signatures alone are accepted;
 * it may be given as PEM or as base64 of DER.
 */
export function readCertificate(text: string): string | undefined {
  const certificate = parsed(text)
  return certificate?.key === 'rsa' ? certificate.pem : undefined
}

function parsed(text: string): { pem: string; key: string | undefined } | undefined {
  const base64 = text.replaceAll(/\s/g, '')
  const isBare = /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
  try {
    const certificate = new X509Certificate(isBare ? Buffer.from(base64, 'base64') : text.trim())
    return { pem: certificate.toString(), key: certificate.publicKey.asymmetricKeyType }
  } catch {
    return undefined
  }
}

export function isActive(row: ProviderRow): row is ActiveProvider {
  return row.ssoUrl !== null && row.entityId !== null && row.certificate !== null && readCertificate(row.certificate) !== undefined
}

/** What the identity provider must know of us. */
export function serviceOf({ organizationId, id }: Pick<ProviderRow, 'organizationId' | 'id'>, publicUrl: string) {
  const location = `${publicUrl}/v1/orgs/${organizationId}/saml/${id}`
  return { location, acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` }
}
