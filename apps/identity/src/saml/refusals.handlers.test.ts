import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aMember, aUser } from '../test/factories.ts'
import { adminToken } from '../test/identity-setup.ts'
import type { Reason } from '../sign-ins/refusal.ts'
import { aKeyPair } from '../test/saml/certificate.ts'
import { fromNow } from '../test/saml/identity-provider.ts'
import { aLoggedIdentity, aSignOn, tokenOn, type LoggedIdentity, type SignOn } from '../test/saml/sign-on.ts'

let logged: LoggedIdentity
let on: SignOn
let other: SignOn
beforeAll(async () => {
  logged = await aLoggedIdentity()
  on = await aSignOn(logged.identity)
  other = await aSignOn(logged.identity, { organization: on.organization, label: 'Other' })
})
afterAll(() => logged.identity.stop())
beforeEach(() => void logged.takeLines())

const anEmail = () => `${createId().toLowerCase()}@recto.test`
const signatureOf = (xml: string) => /<ds:Signature .*?<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
const assertionOf = (xml: string) => /<saml:Assertion .*?<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const responseIn = (xml: string, within: (assertion: string, evil: string) => string) =>
  xml.replace(assertionOf(xml), () => within(assertionOf(xml), evilOf(assertionOf(xml))))
/** A forged assertion: without a signature, with another id and subject. */
const evilOf = (assertion: string) =>
  assertion
    .replace(signatureOf(assertion), '')
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
    .replace(/@recto\.test/, '@evil.test')
const before = (mark: string, part: string) => (xml: string) => xml.replace(mark, () => part + mark)
const ended = {
  ConditionsNotBefore: fromNow(-600),
  ConditionsNotOnOrAfter: fromNow(-120),
  SubjectConfirmationDataNotOnOrAfter: fromNow(-120),
}

/** Manipulations of a valid response for `person`. */
const changed: [string, Reason, (xml: string) => string][] = [
  ['without signature', 'unsigned', xml => xml.replace(signatureOf(xml), '')],
  ['for another person', 'signature', xml => xml.replace('@recto.test', '@evil.test')],
  ['with another signature value', 'signature', xml => xml.replace(/SignatureValue>.{8}/, 'SignatureValue>AAAAAAAA')],
  ['with another digest', 'signature', xml => xml.replace(/DigestValue>.{8}/, 'DigestValue>AAAAAAAA')],
  ['with a second assertion after it', 'structure', xml => responseIn(xml, (assertion, evil) => assertion + evil)],
  ['with a second assertion before it', 'structure', xml => responseIn(xml, (assertion, evil) => evil + assertion)],
  ['with the same assertion twice', 'structure', xml => responseIn(xml, assertion => assertion + assertion)],
  [
    'wrapped in another assertion',
    'structure',
    xml =>
      responseIn(xml, (assertion, evil) => evil.replace('</saml:Assertion>', () => `${assertion}</saml:Assertion>`)),
  ],
  [
    'wrapped in the advice of another',
    'structure',
    xml =>
      responseIn(xml, (assertion, evil) =>
        evil.replace('</saml:Assertion>', () => `<saml:Advice>${assertion}</saml:Advice></saml:Assertion>`),
      ),
  ],
  [
    'wrapped in extensions',
    'structure',
    xml => responseIn(xml, (assertion, evil) => `<samlp:Extensions>${assertion}</samlp:Extensions>${evil}`),
  ],
  [
    'wrapped in its own signature',
    'structure',
    xml =>
      responseIn(xml, (assertion, evil) =>
        evil.replace(
          '<saml:Subject>',
          () =>
            `${signatureOf(assertion).replace('</ds:Signature>', () => `<ds:Object>${assertion.replace(signatureOf(assertion), '')}</ds:Object></ds:Signature>`)}<saml:Subject>`,
        ),
      ),
  ],
  [
    'with its signature on another assertion',
    'structure',
    xml =>
      responseIn(xml, (assertion, evil) =>
        evil.replace('<saml:Subject>', () => `${signatureOf(assertion)}<saml:Subject>`),
      ),
  ],
  [
    'with its signature elsewhere',
    'unsigned',
    xml =>
      before(
        '<samlp:Status>',
        signatureOf(xml),
      )(xml.replace(signatureOf(xml), '')).replace(
        /URI="#[^"]*"/,
        `URI="#${/<samlp:Response [^>]*ID="([^"]*)"/.exec(xml)?.[1]}"`,
      ),
  ],
  [
    'with an id twice',
    'structure',
    xml => xml.replace('<samlp:Status>', `<samlp:Status ID="${/<saml:Assertion [^>]*ID="([^"]*)"/.exec(xml)?.[1]}">`),
  ],
  ['as no response', 'structure', xml => xml.replaceAll('samlp:Response', 'samlp:ArtifactResponse')],
  [
    'with an assertion of another namespace',
    'structure',
    xml => xml.replace(/xmlns:saml="[^"]*"/g, 'xmlns:saml="urn:other"'),
  ],
  ['with a comment in the name', 'markup', xml => xml.replace('@recto.test<', '@recto<!-- -->.test<')],
  ['with a comment anywhere', 'markup', before('<samlp:Status>', '<!-- -->')],
  ['with a document type', 'markup', before('<samlp:Response', '<!DOCTYPE samlp:Response [<!ENTITY e "eve">]>')],
  [
    'with an entity of a document type',
    'unreadable',
    xml =>
      before(
        '<samlp:Response',
        '<!DOCTYPE samlp:Response [<!ENTITY e SYSTEM "file:///etc/hostname">]>',
      )(xml.replace('@recto.test', '&e;')),
  ],
  ['with an instruction', 'markup', before('<samlp:Status>', '<?eve?>')],
  [
    'sent to another destination',
    'destination',
    xml => xml.replace(/Destination="[^"]*"/, 'Destination="https://evil.test/acs"'),
  ],
  [
    'in response to another request',
    'not_requested',
    xml => xml.replace(/InResponseTo="[^"]*"/, 'InResponseTo="_other"'),
  ],
  [
    'with SHA-1 claimed',
    'algorithm',
    xml =>
      xml.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'),
  ],
  [
    'with HMAC claimed',
    'algorithm',
    xml =>
      xml.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
  ],
  [
    'with SHA-1 claimed for the digest',
    'algorithm',
    xml => xml.replace('http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'),
  ],
  [
    'with a transformation',
    'algorithm',
    before('</ds:Transforms>', '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>'),
  ],
  ['cut off', 'unreadable', xml => xml.slice(0, xml.length / 2)],
]

/** Signed responses with another audience, expired conditions or missing parts. */
const signed: [string, Reason, () => Parameters<SignOn['answers']>[1] | Promise<Parameters<SignOn['answers']>[1]>][] = [
  ['by another key, whose certificate it has', 'signature', () => ({ keys: aKeyPair() })],
  [
    'by another key, with the certificate of the right one',
    'signature',
    () => ({ keys: { ...aKeyPair(), certificate: on.keys.certificate } }),
  ],
  ['by the key of another provider', 'signature', () => ({ keys: other.keys })],
  ['with SHA-1', 'algorithm', () => ({ algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })],
  ['as a response, not as an assertion', 'unsigned', () => ({ sign: 'response' })],
  ['by another issuer', 'issuer', () => ({ entityID: 'https://idp2.test' })],
  ['for another audience', 'audience', () => ({ says: { Audience: other.metadata } })],
  [
    'for no audience',
    'audience',
    () => ({ edit: xml => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }),
  ],
  [
    'without conditions',
    'structure',
    () => ({ edit: xml => xml.replace(/<saml:Conditions .*<\/saml:Conditions>/, '') }),
  ],
  ['for another recipient', 'recipient', () => ({ says: { SubjectRecipient: 'https://evil.test/acs' } })],
  ['for any recipient', 'recipient', () => ({ edit: xml => xml.replace(/ Recipient="[^"]*"/, '') })],
  ['too long ago', 'expired', () => ({ says: ended })],
  [
    'with a confirmation too long ago',
    'expired',
    () => ({ says: { SubjectConfirmationDataNotOnOrAfter: fromNow(-120) } }),
  ],
  ['for later', 'not_yet_valid', () => ({ says: { ConditionsNotBefore: fromNow(120) } })],
  [
    'for ever',
    'time_missing',
    () => ({ edit: xml => xml.replace(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, '$1') }),
  ],
  ['for who holds a key', 'confirmation', () => ({ edit: xml => xml.replace('cm:bearer', 'cm:holder-of-key') })],
  ['without being asked', 'not_requested', () => ({ edit: xml => xml.replaceAll(/ InResponseTo="[^"]*"/g, '') })],
  ['in answer to what nobody asked', 'not_requested', () => ({ says: { InResponseTo: '_unknown' } })],
  ['in answer to a request to another provider', 'not_requested', async () => ({ location: await other.start() })],
  ['as a failure', 'status', () => ({ says: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } })],
  ['with a name that is no e-mail', 'name_id', () => ({ says: { NameID: 'CN=Ada' } })],
  ['with two e-mails', 'name_id', () => ({ says: { NameID: 'ada@recto.test, eve@recto.test' } })],
  ['after encrypting it', 'encrypted', () => ({ encrypt: true })],
]

/** Expects one log line with the reason, a response without it, and no user with this e-mail. */
async function expectRefused(attempt: Promise<unknown>, reason: Reason, person?: string): Promise<void> {
  const reply = await attempt.catch((error: unknown) => error)
  expect(reply).toMatchObject({
    code: 'unauthenticated',
    message: 'The sign-in was refused. Ask an administrator of the installation: its log says why',
    details: undefined,
  })
  const lines = logged.takeLines()
  expect(lines).toMatchObject([{ level: 'warn', reason, provider: on.provider, organization: on.organization.id }])
  if (!person) return
  expect(JSON.stringify(lines)).not.toContain(person)
  const admin = await logged.identity.as(adminToken)
  expect(await failure(admin.createUser({ body: { email: person, displayName: 'Ada' } }))).toBeUndefined()
}

describe('a response is refused', () => {
  it.each(changed)('%s', async (_case, reason, change) => {
    const person = anEmail()
    const good = await on.answers(person)
    expect(change(good)).not.toBe(good)
    await expectRefused(on.post(change(good)), reason)
    // The subject's own sign-in still succeeds.
    expect(tokenOn(await on.post(good))).toMatch(/^recto_/)
  })

  it.each(signed)('that is signed %s', async (_case, reason, answering) => {
    const person = anEmail()
    await expectRefused(on.post(await on.answers(person, await answering())), reason, person)
  })

  it('whose response has an invalid signature', async () => {
    const document = await on.answers(anEmail(), { sign: 'both' })
    await expectRefused(on.post(document.replace(/SignatureValue>.{8}/, 'SignatureValue>AAAAAAAA')), 'signature')
  })

  it.each([
    ['no base64', '%%%'],
    ['no UTF-8', 'gIGC'],
    ['no XML', 'aGVsbG8='],
  ])('that is %s', async (_case, SAMLResponse) => {
    const anybody = await logged.identity.as('nobody')
    await expectRefused(anybody.receiveSamlResponse({ params: on.params, body: { SAMLResponse } }), 'unreadable')
  })
})

describe('replay', () => {
  it('of the same response is refused', async () => {
    const document = await on.answers(anEmail())
    await on.post(document)
    await expectRefused(on.post(document), 'replayed')
  })

  it('of the same assertion is refused, also in response to another request', async () => {
    const says = { AssertionID: `_${createId()}` }
    await on.post(await on.answers(anEmail(), { says }))
    await expectRefused(on.post(await on.answers(anEmail(), { says })), 'replayed')
  })

  it('of an answered request is refused', async () => {
    const location = await on.start()
    await on.post(await on.answers(anEmail(), { location }))
    await expectRefused(on.post(await on.answers(anEmail(), { location })), 'not_requested')
  })

  it('a response more than ten minutes after its request is refused', async () => {
    const document = await on.answers(anEmail())
    await query(logged.identity.service.db, `update saml_requests set created_at = created_at - interval '11 minutes'`)
    await expectRefused(on.post(document), 'not_requested')
    await on.start()
    expect(
      await query(
        logged.identity.service.db,
        `select id from saml_requests where created_at < now() - interval '10 minutes'`,
      ),
    ).toEqual([])
  })

  it('of a response posted twice at once issues one token', async () => {
    const document = await on.answers(anEmail())
    const ends = await Promise.allSettled([on.post(document), on.post(document), on.post(document)])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(logged.takeLines().map(({ reason }) => reason)).toEqual(['replayed', 'replayed'])
  })
})

describe('an account', () => {
  it('of a member is not linked before they are an SSO member', async () => {
    const member = await aMember(logged.identity, on.organization.id, 'admin')
    await expectRefused(on.post(await on.answers(member.email)), 'not_sso_member')
  })

  it('of an outsider is not linked', async () => {
    const user = await aUser(logged.identity)
    await expectRefused(on.post(await on.answers(user.email)), 'outside')
  })
})
