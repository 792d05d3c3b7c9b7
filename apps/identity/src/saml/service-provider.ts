import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { clockSkew, judge, readAssertion, type Accepted, type Assertion } from './assertion.rules.ts'
import { openEnvelope } from './document.rules.ts'
import type { ProviderRow } from './provider.entity.ts'
import { readCertificate, serviceOf, type ActiveProvider } from './provider.rules.ts'
import { refused, type Reason } from './refusal.ts'
import type { Signing } from './signing.ts'

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
  const { signing } = service
  const saml = library(provider, service, { generateUniqueId: () => id, ...(signing && { privateKey: signing.key, signatureAlgorithm: 'sha256' }) })
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** Takes what came back; throws the refusal, else gives what the signed assertion says. */
export async function takeResponse(provider: ActiveProvider, service: ServiceProvider, { field, now }: { field: string; now: number }): Promise<Assertion & Accepted> {
  const { acsURL, entityID } = serviceOf(provider, service.publicUrl)
  const envelope = openEnvelope(field)
  if (envelope.destination !== undefined && envelope.destination !== acsURL) throw refused('destination')
  const assertion = readAssertion(await verified(library(provider, service, { wantAuthnResponseSigned: envelope.isSigned }), envelope.xml))
  const accepted = judge(assertion, { issuer: provider.entityId, audience: entityID, recipient: acsURL, now })
  if (typeof accepted === 'string') throw refused(accepted)
  if (envelope.inResponseTo !== undefined && envelope.inResponseTo !== accepted.inResponseTo) throw refused('not_requested')
  return { ...assertion, ...accepted }
}

/** Requests are remembered in the database, so the library is told not to. Its own checks of time and audience come before ours. */
function library(provider: ActiveProvider, { publicUrl }: ServiceProvider, options: Partial<ConstructorParameters<typeof SAML>[0]>): SAML {
  const { acsURL, entityID } = serviceOf(provider, publicUrl)
  return new SAML({
    idpCert: readCertificate(provider.certificate) ?? '',
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: provider.ssoUrl,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    acceptedClockSkewMs: clockSkew,
    validateInResponseTo: ValidateInResponseTo.never,
    ...options,
  })
}

const saying: [RegExp, Reason][] = [
  [/audience/i, 'audience'],
  [/not yet valid/, 'not_yet_valid'],
  [/expired/, 'expired'],
  [/Error parsing/, 'time_missing'],
]

/** The bytes of the assertion that the signature covers, and no others. */
async function verified(saml: SAML, xml: string): Promise<string> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') })
    const assertion = profile?.getAssertionXml?.()
    if (assertion) return assertion
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw refused(saying.find(([pattern]) => pattern.test(said))?.[1] ?? 'signature', said)
  }
  throw refused('signature', 'there is no assertion')
}
