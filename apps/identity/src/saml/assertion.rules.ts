import { signInRefused, type Reason } from '../sign-ins/refusal.ts'
import { attributeOf, childrenOf, namespaces, parseStrictly, textOf } from './xml.ts'

const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const maxIdLength = 256

/** Tolerated clock difference of an identity provider, in milliseconds. */
export const clockSkew = 60_000

/** The content of an assertion, read from the bytes that its signature covers. */
export interface Assertion {
  id: string
  issuer: string
  nameId: string
  confirmations: Confirmation[]
  notBefore: string | undefined
  notOnOrAfter: string | undefined
  /** The audiences of each restriction; every restriction must name this service provider. */
  audiences: string[][]
  /** `SessionNotOnOrAfter` of the authentication statements. */
  sessionEnds: string[]
  /** The first value of each attribute by its name in lower case. */
  attributes: Map<string, string>
}

interface Confirmation {
  method: string | undefined
  recipient: string | undefined
  inResponseTo: string | undefined
  notBefore: string | undefined
  notOnOrAfter: string | undefined
}

/** Requirements for a valid assertion; `now` is milliseconds since the epoch. */
export interface ExpectedAssertion {
  issuer: string
  audience: string
  recipient: string
  now: number
}

/** Parses a signed assertion; throws the refusal when the document is another one. */
export function readAssertion(xml: string): Assertion {
  const root = parseStrictly(xml)
  if (root.localName !== 'Assertion' || root.namespaceURI !== namespaces.assertion)
    throw signInRefused('structure', 'the signed element is not an assertion')
  const { assertion } = namespaces
  const each = (from: Element[], name: string): Element[] =>
    from.flatMap(element => childrenOf(element, name, assertion))
  const subject = each([root], 'Subject')
  const conditions = each([root], 'Conditions')
  const attributes = each(each([root], 'AttributeStatement'), 'Attribute')
  return {
    id: attributeOf(root, 'ID') ?? '',
    issuer: textOf(each([root], 'Issuer')[0]),
    nameId: textOf(each(subject, 'NameID')[0]),
    confirmations: each(subject, 'SubjectConfirmation').map(readConfirmation),
    notBefore: attributeOf(conditions[0], 'NotBefore'),
    notOnOrAfter: attributeOf(conditions[0], 'NotOnOrAfter'),
    audiences: each(conditions, 'AudienceRestriction').map(restriction => each([restriction], 'Audience').map(textOf)),
    sessionEnds: each([root], 'AuthnStatement').flatMap(
      statement => attributeOf(statement, 'SessionNotOnOrAfter') ?? [],
    ),
    attributes: new Map(
      attributes
        .reverse()
        .map(attribute => [
          attributeOf(attribute, 'Name')?.toLowerCase() ?? '',
          textOf(each([attribute], 'AttributeValue')[0]),
        ]),
    ),
  }
}

function readConfirmation(element: Element): Confirmation {
  const [data] = childrenOf(element, 'SubjectConfirmationData', namespaces.assertion)
  return {
    method: attributeOf(element, 'Method'),
    recipient: attributeOf(data, 'Recipient'),
    inResponseTo: attributeOf(data, 'InResponseTo'),
    notBefore: attributeOf(data, 'NotBefore'),
    notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
  }
}

/** The content of a valid assertion: the id of the request it answers, its expiry and the end of the session, milliseconds since the epoch. */
export interface ValidAssertion {
  inResponseTo: string
  expiresAt: number
  sessionEnd: number | undefined
}

/** Validates a signed assertion, or returns the reason to refuse it. The request it answers and replay are checked elsewhere. */
export function validateAssertion(assertion: Assertion, expected: ExpectedAssertion): ValidAssertion | Reason {
  const [confirmation, ...others] = assertion.confirmations.filter(({ method }) => method === bearerMethod)
  if (assertion.id === '' || assertion.id.length > maxIdLength) return 'structure'
  if (assertion.issuer !== expected.issuer) return 'issuer'
  if (assertion.audiences.length === 0 || assertion.audiences.some(audiences => !audiences.includes(expected.audience)))
    return 'audience'
  if (!confirmation || others.length > 0) return 'confirmation'
  if (confirmation.recipient !== expected.recipient) return 'recipient'
  if (!confirmation.inResponseTo) return 'not_requested'
  const fault =
    validityFault(assertion, expected.now) ??
    (confirmation.notOnOrAfter === undefined ? 'time_missing' : validityFault(confirmation, expected.now))
  if (fault) return fault
  const ends = assertion.sessionEnds.map(parseInstant)
  if (ends.some(Number.isNaN)) return 'time_missing'
  if (ends.some(end => end <= expected.now)) return 'expired'
  const expiresAt = parseInstant(confirmation.notOnOrAfter ?? '') + clockSkew
  return {
    inResponseTo: confirmation.inResponseTo,
    expiresAt,
    sessionEnd: ends.length > 0 ? Math.min(...ends) : undefined,
  }
}

function validityFault(
  { notBefore, notOnOrAfter }: Pick<Confirmation, 'notBefore' | 'notOnOrAfter'>,
  now: number,
): Reason | undefined {
  const from = notBefore === undefined ? -Infinity : parseInstant(notBefore)
  const until = notOnOrAfter === undefined ? Infinity : parseInstant(notOnOrAfter)
  if (Number.isNaN(from) || Number.isNaN(until)) return 'time_missing'
  if (now + clockSkew < from) return 'not_yet_valid'
  return now - clockSkew >= until ? 'expired' : undefined
}

/** Milliseconds since the epoch of an `xs:dateTime` in UTC, the only form that SAML allows; NaN for other text. */
function parseInstant(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN
}
