import { refused, type Reason } from './refusal.ts'
import { attributeOf, childrenOf, elementsOf, namespaces, parseStrictly } from './xml.ts'

const { protocol, assertion: ofAssertion, signature: ofSignature } = namespaces
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const encrypted = ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute', 'EncryptedData']

const algorithms = {
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'],
  SignatureMethod: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  Transform: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
} as const
/** What a signature has exactly once: the library looks for the first one, wherever it is. */
const once = ['SignedInfo', 'SignatureValue', 'CanonicalizationMethod', 'SignatureMethod', 'Reference', 'Transforms', 'DigestMethod', 'DigestValue']
const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/** What a response says around its assertion. None of it is signed unless the response is. */
export interface Envelope {
  xml: string
  isSigned: boolean
  destination: string | undefined
  inResponseTo: string | undefined
}

/**
 * Reads the form field of the POST binding and refuses what leaves room for doubt about which assertion is signed, before any
 * signature is looked at. Nothing is believed yet.
 */
export function openEnvelope(field: string): Envelope {
  const xml = decoded(field)
  const root = parseStrictly(xml)
  const elements = elementsOf(root)
  require(root.localName === 'Response' && root.namespaceURI === protocol, 'structure', 'the document is no response')
  const all = (name: string): Element[] => elements.filter(element => element.localName === name)
  require(encrypted.every(name => all(name).length === 0), 'encrypted')
  requireSuccess(root)
  const [assertion, ...others] = all('Assertion')
  require(assertion?.parentNode === root && assertion.namespaceURI === ofAssertion && others.length === 0, 'structure', 'there is not exactly one assertion')
  for (const name of ['Issuer', 'Subject', 'Conditions']) require(childrenOf(assertion as Element, name, ofAssertion).length === 1, 'structure', `there is not exactly one ${name}`)
  requireUniqueIds(elements)
  const signed = all('Signature').map(signedBy)
  require(new Set(signed).size === signed.length, 'structure', 'something is signed twice')
  require(signed.includes(assertion as Element), 'unsigned')
  require(signed.every(element => element === assertion || element === root), 'structure', 'a signature is out of place')
  return { xml, isSigned: signed.includes(root), destination: attributeOf(root, 'Destination'), inResponseTo: attributeOf(root, 'InResponseTo') }
}

function decoded(field: string): string {
  const base64 = field.replaceAll(/\s/g, '')
  require(/^[A-Za-z0-9+/]+={0,2}$/.test(base64), 'unreadable', 'the field is not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    throw refused('unreadable', 'the field is not UTF-8')
  }
}

function requireSuccess(root: Element): void {
  const codes = childrenOf(root, 'Status', protocol).flatMap(status => childrenOf(status, 'StatusCode', protocol))
  const values = codes.map(code => attributeOf(code, 'Value'))
  require(values.length === 1 && values[0] === success, 'status', values.join(', '))
}

function requireUniqueIds(elements: Element[]): void {
  const ids = elements.flatMap(element => Array.from(element.attributes)).filter(({ localName }) => localName?.toLowerCase() === 'id')
  require(new Set(ids.map(({ value }) => value)).size === ids.length, 'structure', 'an id is there twice')
}

/** The element that a signature stands in, when it signs that and nothing else, by algorithms that hold. */
function signedBy(signature: Element): Element {
  const below = elementsOf(signature)
  const named = (name: string): Element[] => below.filter(element => element.localName === name)
  require(signature.namespaceURI === ofSignature && below.slice(1).every(element => element.localName !== 'Signature'), 'structure', 'a signature is none')
  for (const name of once) require(named(name).length === 1 && named(name)[0]?.namespaceURI === ofSignature, 'structure', `a signature has not exactly one ${name}`)
  const children = below.filter(({ parentNode }) => parentNode === signature)
  require(children.every(({ localName }) => parts.includes(localName)), 'structure', 'a signature has more than its parts')
  for (const [name, allowed] of Object.entries(algorithms)) {
    for (const element of named(name)) require((allowed as readonly string[]).includes(attributeOf(element, 'Algorithm') ?? ''), 'algorithm', attributeOf(element, 'Algorithm'))
  }
  const parent = signature.parentNode as Element
  const id = attributeOf(parent, 'ID')
  require(id && attributeOf(named('Reference')[0], 'URI') === `#${id}`, 'structure', 'a signature signs something else')
  return parent
}

function require(holds: unknown, reason: Reason, said?: string): asserts holds {
  if (!holds) throw refused(reason, said)
}
