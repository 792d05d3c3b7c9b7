import { describe, expect, it } from '@jest/globals'
import { validateAssertion, readAssertion, type Assertion } from './assertion.rules.ts'
import type { Reason } from '../sign-ins/refusal.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString()
const expected = { issuer: 'idp', audience: 'sp', recipient: 'acs', now }
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const confirmation = {
  method: bearer,
  recipient: 'acs',
  inResponseTo: 'request',
  notBefore: undefined,
  notOnOrAfter: at(300),
}
const good: Assertion = {
  id: 'assertion',
  issuer: 'idp',
  nameId: 'ada@recto.test',
  confirmations: [confirmation],
  notBefore: at(0),
  notOnOrAfter: at(300),
  audiences: [['sp']],
  sessionEnds: [],
  attributes: new Map(),
}

describe('validateAssertion', () => {
  it.each<[string, Partial<Assertion>, { expiresAt?: number; sessionEnd?: number }]>([
    ['a good one', {}, {}],
    ['one for others too', { audiences: [['other', 'sp']] }, {}],
    ['one whose clock is a little ahead', { notBefore: at(59) }, {}],
    [
      'one whose clock is a little behind',
      { notOnOrAfter: at(-59), confirmations: [{ ...confirmation, notOnOrAfter: at(-59) }] },
      { expiresAt: now + 1_000 },
    ],
    ['one whose conditions have no times', { notBefore: undefined, notOnOrAfter: undefined }, {}],
    ['one with fractions of a second', { notBefore: '2026-01-01T11:59:59.123456Z' }, {}],
    [
      'one that is confirmed in another way as well',
      { confirmations: [{ ...confirmation, method: 'holder' }, confirmation] },
      {},
    ],
    ['one whose session ends', { sessionEnds: [at(7200), at(3600)] }, { sessionEnd: now + 3_600_000 }],
  ])('accepts %s', (_case, says, accepted) => {
    expect(validateAssertion({ ...good, ...says }, expected)).toEqual({
      inResponseTo: 'request',
      expiresAt: now + 360_000,
      sessionEnd: undefined,
      ...accepted,
    })
  })

  it.each<[string, Reason, Partial<Assertion>]>([
    ['without id', 'structure', { id: '' }],
    ['with an endless id', 'structure', { id: 'a'.repeat(257) }],
    ['of another issuer', 'issuer', { issuer: 'idp2' }],
    ['of no issuer', 'issuer', { issuer: '' }],
    ['for nobody in particular', 'audience', { audiences: [] }],
    ['for others', 'audience', { audiences: [['other']] }],
    ['for us, restricted to others', 'audience', { audiences: [['sp'], ['other']] }],
    ['that nobody confirms', 'confirmation', { confirmations: [] }],
    ['that its holder has to confirm', 'confirmation', { confirmations: [{ ...confirmation, method: 'holder' }] }],
    ['that is confirmed twice', 'confirmation', { confirmations: [confirmation, confirmation] }],
    ['sent elsewhere', 'recipient', { confirmations: [{ ...confirmation, recipient: 'acs2' }] }],
    ['sent anywhere', 'recipient', { confirmations: [{ ...confirmation, recipient: undefined }] }],
    ['that nobody asked for', 'not_requested', { confirmations: [{ ...confirmation, inResponseTo: undefined }] }],
    ['that ended', 'expired', { notOnOrAfter: at(-60) }],
    ['whose confirmation ended', 'expired', { confirmations: [{ ...confirmation, notOnOrAfter: at(-60) }] }],
    ['that begins later', 'not_yet_valid', { notBefore: at(61) }],
    ['whose confirmation begins later', 'not_yet_valid', { confirmations: [{ ...confirmation, notBefore: at(61) }] }],
    [
      'whose confirmation never ends',
      'time_missing',
      { confirmations: [{ ...confirmation, notOnOrAfter: undefined }] },
    ],
    ['with a time of no zone', 'time_missing', { notOnOrAfter: '2026-01-01T13:00:00' }],
    ['with a time that is none', 'time_missing', { notBefore: 'today' }],
    ['whose session has ended', 'expired', { sessionEnds: [at(3600), at(0)] }],
    ['whose session ends at no time', 'time_missing', { sessionEnds: ['soon'] }],
  ])('refuses one %s', (_case, reason, says) => {
    expect(validateAssertion({ ...good, ...says }, expected)).toBe(reason)
  })
})

describe('readAssertion', () => {
  it('reads only elements in the SAML namespace and at their specified position', () => {
    const xml = `<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:o="urn:other" ID="1"><o:Issuer>eve</o:Issuer><Issuer> idp </Issuer>
      <Advice><Subject><NameID>eve@recto.test</NameID></Subject></Advice><Subject><NameID>ada@recto.test</NameID></Subject>
      <AttributeStatement><Attribute Name="First_Name"><AttributeValue>Ada</AttributeValue><AttributeValue>Eve</AttributeValue></Attribute>
      <Attribute Name="first_name"><AttributeValue>Mallory</AttributeValue></Attribute><Attribute Name="sn"/></AttributeStatement></Assertion>`
    const read = readAssertion(xml)
    expect(read).toMatchObject({
      id: '1',
      issuer: 'idp',
      nameId: 'ada@recto.test',
      audiences: [],
      confirmations: [],
      sessionEnds: [],
    })
    expect(Object.fromEntries(read.attributes)).toEqual({ first_name: 'Ada', sn: '' })
  })
})
