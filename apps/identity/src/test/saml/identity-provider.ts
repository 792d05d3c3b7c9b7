import { randomBytes } from 'node:crypto'
import { IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify'
import type { KeyPair } from './certificate.ts'

// The library requires an XML schema validator; its input here comes from the service under test.
setSchemaValidator({ validate: async () => 'ok' })

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const email = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** How a response differs from a valid one. */
export interface ResponseOptions {
  keys: KeyPair
  entityID?: string
  algorithm?: string
  /** Values of the samlify template by name. */
  says?: Record<string, string>
  /** Changes the document before it is signed. */
  edit?: (xml: string) => string
  /** The signed parts; the assertion by default. */
  sign?: 'assertion' | 'both' | 'response'
  /** Encrypts the assertion, with any key. */
  encrypt?: boolean
}

export const ssoURL = 'https://idp.test/sso?tenant=docs'

function idpOf(
  { keys, entityID = 'https://idp.test', algorithm = rsaSha256, encrypt = false }: ResponseOptions,
  isSigned = false,
) {
  const attribute = (name: string, valueTag: string) => ({
    name,
    valueTag,
    nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
    valueXsiType: 'xs:string',
  })
  return IdentityProvider({
    entityID,
    privateKey: keys.key,
    signingCert: keys.certificate,
    isAssertionEncrypted: encrypt,
    requestSignatureAlgorithm: algorithm,
    wantAuthnRequestsSigned: isSigned,
    nameIDFormat: [email],
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: ssoURL }],
    singleLogoutService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: 'https://idp.test/slo' },
    ],
    loginResponseTemplate: {
      context: SamlLib.defaultLoginResponseTemplate.context,
      attributes: [attribute('first_name', 'first'), attribute('last_name', 'last')],
    },
  })
}

/** Parses an authentication request with a real identity provider library, which verifies the signature if it requires one. */
export async function readRequest({
  keys,
  metadata,
  location,
  isSigned = false,
}: {
  keys: KeyPair
  metadata: string
  location: string
  isSigned?: boolean
}) {
  const { searchParams } = new URL(location)
  const octetString = ['SAMLRequest', 'SigAlg']
    .map(name => `${name}=${encodeURIComponent(searchParams.get(name) ?? '')}`)
    .join('&')
  const parsed = await idpOf({ keys }, isSigned).parseLoginRequest(ServiceProvider({ metadata }), 'redirect', {
    query: Object.fromEntries(searchParams),
    octetString,
  })
  return parsed.extract
}

/** Creates the response of a real identity provider library to a request; the decoded form field of the HTTP POST binding. */
export async function createResponse(
  { metadata, location, person }: { metadata: string; location: string; person: string },
  answering: ResponseOptions,
): Promise<string> {
  const { request } = await readRequest({ keys: answering.keys, metadata, location })
  const { sign = 'assertion', edit = (xml: string) => xml, entityID = 'https://idp.test' } = answering
  const wants = (
    sign === 'response' ? metadata.replace('WantAssertionsSigned="true"', 'WantAssertionsSigned="false"') : metadata
  ).replace('<NameIDFormat>', encryptionKey(answering))
  const sp = ServiceProvider({ metadata: wants, wantMessageSigned: sign !== 'assertion' })
  const acsURL = sp.entityMeta.getAssertionConsumerService('post') as string
  const values = {
    ...goodValues({
      acsURL,
      audience: sp.entityMeta.getEntityID(),
      issuer: entityID,
      person,
      request: (request as { id: string }).id,
    }),
    ...answering.says,
  }
  const customTagReplacement = (template: string) => ({
    id: values.ID,
    context: edit(SamlLib.replaceTagsByValue(template, values)),
  })
  const { context } = await idpOf(answering).createLoginResponse(
    sp,
    { extract: {} },
    'post',
    {},
    { customTagReplacement },
  )
  return Buffer.from(context, 'base64').toString()
}

function encryptionKey({ keys, encrypt }: ResponseOptions): string {
  const certificate = keys.certificate.replaceAll(/-----.*-----|\n/g, '')
  const info = `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
  return `${encrypt ? `<KeyDescriptor use="encryption">${info}</KeyDescriptor>` : ''}<NameIDFormat>`
}

function goodValues({
  acsURL,
  audience,
  issuer,
  person,
  request,
}: {
  acsURL: string
  audience: string
  issuer: string
  person: string
  request: string
}) {
  const id = () => `_${randomBytes(16).toString('hex')}`
  return {
    ID: id(),
    AssertionID: id(),
    Destination: acsURL,
    Audience: audience,
    SubjectRecipient: acsURL,
    Issuer: issuer,
    IssueInstant: fromNow(0),
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    ConditionsNotBefore: fromNow(0),
    ConditionsNotOnOrAfter: fromNow(300),
    SubjectConfirmationDataNotOnOrAfter: fromNow(300),
    NameIDFormat: email,
    NameID: person,
    InResponseTo: request,
    AuthnStatement: '',
    attrFirst: 'Ada',
    attrLast: 'Lovelace',
  }
}

/** The SAML time this many seconds from now. */
export function fromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}
