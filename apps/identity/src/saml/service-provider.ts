import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { judge, readAssertion, type Accepted, type Assertion } from './assertion.rules.ts'
import { usableCertificates } from './certificates.rules.ts'
import { openEnvelope, type Envelope } from './response.rules'
import type { ProviderRow } from './provider.entity.ts'
import { serviceOf, type ActiveProvider } from './provider.rules.ts'
import { refused } from './refusal.ts'
import { signedBytes } from './signature.ts'
import type { Signing } from '../shared/signing-key'

/** Us, as identity providers see us. */
export interface ServiceProvider {
  publicUrl: string
  signing: Signing | undefined
}

/** Our metadata for one identity provider: the same bytes each time. */
export function metadata(provider: ProviderRow, { publicUrl, signing }: ServiceProvider): string {
  const { entityID, acsURL } = serviceOf(provider, publicUrl)
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${provider.id}`,
    ...(signing && { privateKey: signing.key, publicCerts: signing.certificate }),
  })
}

/** The address of the identity provider with a request of this id, signed where a key is configured. */
export function requestUrl(provider: ActiveProvider, service: ServiceProvider, id: string): Promise<string> {
  const { publicUrl, signing } = service
  const { acsURL, entityID } = serviceOf(provider, publicUrl)
  const saml = new SAML({
    ...{ issuer: entityID, callbackUrl: acsURL, entryPoint: provider.ssoUrl, idpCert: provider.certificate },
    // Requests are remembered in the database, so the library is told not to; it reads no answer.
    validateInResponseTo: ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => id,
    ...(signing && { privateKey: signing.key, signatureAlgorithm: 'sha256' as const }),
  })
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** Takes what came back; throws the refusal, else gives what the signed assertion says. */
export function takeResponse(
  provider: ActiveProvider,
  service: ServiceProvider,
  { field, now }: { field: string; now: number },
): Assertion & Accepted {
  const { acsURL, entityID } = serviceOf(provider, service.publicUrl)
  const envelope = openEnvelope(field)
  if (envelope.destination !== undefined && envelope.destination !== acsURL) throw refused('destination')
  const assertion = readAssertion(verified(provider, envelope))
  const accepted = judge(assertion, { issuer: provider.entityId, audience: entityID, recipient: acsURL, now })
  if (typeof accepted === 'string') throw refused(accepted)
  if (envelope.inResponseTo !== undefined && envelope.inResponseTo !== accepted.inResponseTo)
    throw refused('not_requested')
  return { ...assertion, ...accepted }
}

/** The bytes of the assertion that its signature covers, and no others; that of the response must hold too where there is one. */
function verified(provider: ActiveProvider, { xml, signatures }: Envelope): string {
  const certificates = usableCertificates(provider.certificate)
  if (signatures.response && signedBytes(certificates, xml, signatures.response) === undefined)
    throw refused('signature', 'that of the response does not hold')
  const assertion = signedBytes(certificates, xml, signatures.assertion)
  if (assertion === undefined) throw refused('signature', 'that of the assertion does not hold')
  return assertion
}
