import { refused, type Reason } from './refusal.ts'
import { attributeOf, childrenOf, namespaces, parseStrictly, textOf } from './xml.ts'

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const longestId = 256

/** Milliseconds that the clock of an identity provider may be off. */
export const clockSkew = 60_000

/** What an assertion says, read from the bytes that its signature covers. */
export interface Assertion {
  id: string
  issuer: string
  nameId: string
  confirmations: Confirmation[]
  notBefore: string | undefined
  notOnOrAfter: string | undefined
  /** Each restriction must name us. */
  audiences: string[][]
  /** When the sessions end that the identity provider has opened. */
  sessionEnds: string[]
  /** First values by name in lower case. */
  attributes: Map<string, string>
}

interface Confirmation {
  method: string | undefined
  recipient: string | undefined
  inResponseTo: string | undefined
  notBefore: string | undefined
  notOnOrAfter: string | undefined
}

/** What it has to say. */
export interface Expected {
  issuer: string
  audience: string
  recipient: string
  now: number
}

/** Reads a signed assertion. */
export function readAssertion(xml: string): Assertion {
  const root = parseStrictly(xml)
  if (root.localName !== 'Assertion' || root.namespaceURI !== namespaces.assertion)
    throw refused('structure', 'what is signed is no assertion')
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

/** An assertion that holds: the request that it answers, and when it and the session end, milliseconds since the epoch. */
export interface Accepted {
  inResponseTo: string
  expiresAt: number
  sessionEnd: number | undefined
}

/** Judges a signed assertion; who was asked for and whether it was seen before is not known here. */
export function judge(assertion: Assertion, expected: Expected): Accepted | Reason {
  const [confirmation, ...others] = assertion.confirmations.filter(({ method }) => method === bearer)
  if (assertion.id === '' || assertion.id.length > longestId) return 'structure'
  if (assertion.issuer !== expected.issuer) return 'issuer'
  if (assertion.audiences.length === 0 || assertion.audiences.some(audiences => !audiences.includes(expected.audience)))
    return 'audience'
  if (!confirmation || others.length > 0) return 'confirmation'
  if (confirmation.recipient !== expected.recipient) return 'recipient'
  if (!confirmation.inResponseTo) return 'not_requested'
  const fault =
    timeFault(assertion, expected.now) ??
    (confirmation.notOnOrAfter === undefined ? 'time_missing' : timeFault(confirmation, expected.now))
  if (fault) return fault
  const ends = assertion.sessionEnds.map(instant)
  if (ends.some(Number.isNaN)) return 'time_missing'
  if (ends.some(end => end <= expected.now)) return 'expired'
  const expiresAt = instant(confirmation.notOnOrAfter ?? '') + clockSkew
  return {
    inResponseTo: confirmation.inResponseTo,
    expiresAt,
    sessionEnd: ends.length > 0 ? Math.min(...ends) : undefined,
  }
}

function timeFault(
  { notBefore, notOnOrAfter }: Pick<Confirmation, 'notBefore' | 'notOnOrAfter'>,
  now: number,
): Reason | undefined {
  const from = notBefore === undefined ? -Infinity : instant(notBefore)
  const until = notOnOrAfter === undefined ? Infinity : instant(notOnOrAfter)
  if (Number.isNaN(from) || Number.isNaN(until)) return 'time_missing'
  if (now + clockSkew < from) return 'not_yet_valid'
  return now - clockSkew >= until ? 'expired' : undefined
}

/** SAML times are UTC, and say so. */
function instant(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN
}
