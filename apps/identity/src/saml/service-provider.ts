import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { validateAssertion, readAssertion, type ValidAssertion, type Assertion } from './assertion.rules.ts'
import { usableCertificates } from './certificates.rules.ts'
import { parseResponse, type SamlResponse } from './response.rules.ts'
import type { ProviderRow } from './provider.entity.ts'
import { serviceUrls, type ActiveProvider } from './provider.rules.ts'
import { signInRefused } from '../sign-ins/refusal.ts'
import { signedBytes } from './signature.ts'
import type { ServiceProvider } from '../shared/context.ts'

/** The SAML metadata of this service provider for one identity provider; the same bytes each time. */
export function serviceMetadata(provider: ProviderRow, { publicUrl, signing }: ServiceProvider): string {
  const { entityID, acsURL } = serviceUrls(provider, publicUrl)
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${provider.id}`,
    ...(signing && { privateKey: signing.key, publicCerts: signing.certificate }),
  })
}

/** The address that starts a sign-in at the identity provider (HTTP Redirect binding), signed where a key is configured. What is given as relay state comes back with the response. */
export function authnRequestUrl(
  provider: ActiveProvider,
  service: ServiceProvider,
  { id, relayState = '' }: { id: string; relayState?: string | undefined },
): Promise<string> {
  const { publicUrl, signing } = service
  const { acsURL, entityID } = serviceUrls(provider, publicUrl)
  const saml = new SAML({
    issuer: entityID,
    callbackUrl: acsURL,
    entryPoint: provider.ssoUrl,
    idpCert: provider.certificate,
    // Requests are stored in the database; the library does not read responses.
    validateInResponseTo: ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => id,
    ...(signing && { privateKey: signing.key, signatureAlgorithm: 'sha256' as const }),
  })
  return saml.getAuthorizeUrlAsync(relayState, undefined, {})
}

/** Verifies a response of the HTTP POST binding and returns its signed assertion; throws the refusal. */
export function verifyResponse(
  provider: ActiveProvider,
  service: ServiceProvider,
  { field, now }: { field: string; now: number },
): Assertion & ValidAssertion {
  const { acsURL, entityID } = serviceUrls(provider, service.publicUrl)
  const response = parseResponse(field)
  if (response.destination !== undefined && response.destination !== acsURL) throw signInRefused('destination')
  const assertion = readAssertion(verifiedAssertion(provider, response))
  const accepted = validateAssertion(assertion, {
    issuer: provider.entityId,
    audience: entityID,
    recipient: acsURL,
    now,
  })
  if (typeof accepted === 'string') throw signInRefused(accepted)
  if (response.inResponseTo !== undefined && response.inResponseTo !== accepted.inResponseTo)
    throw signInRefused('not_requested')
  return { ...assertion, ...accepted }
}

/** The bytes that the signature of the assertion covers. The signature of the response is verified as well where there is one. */
function verifiedAssertion(provider: ActiveProvider, { xml, signatures }: SamlResponse): string {
  const certificates = usableCertificates(provider.certificate)
  if (signatures.response && signedBytes(certificates, xml, signatures.response) === undefined)
    throw signInRefused('signature', 'the signature of the response is invalid')
  const assertion = signedBytes(certificates, xml, signatures.assertion)
  if (assertion === undefined) throw signInRefused('signature', 'the signature of the assertion is invalid')
  return assertion
}
