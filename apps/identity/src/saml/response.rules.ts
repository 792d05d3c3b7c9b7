import { refused, type Reason } from './refusal.ts'
import { algorithms } from './signature.ts'
import { attributeOf, childrenOf, elementsOf, namespaces, parseStrictly } from './xml.ts'

const { protocol, assertion: ofAssertion, signature: ofSignature } = namespaces
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const encrypted = ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute', 'EncryptedData']

/** What a signature has exactly once: the library looks for the first one, wherever it is. */
const once = [
  'SignedInfo',
  'SignatureValue',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'Transforms',
  'DigestMethod',
  'DigestValue',
]
const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/** What a response says around its assertion. None of it is signed unless the response is. */
export interface Envelope {
  xml: string
  /** The signature that stands in the assertion, and that of the response, if it has one. */
  signatures: { assertion: Element; response: Element | undefined }
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
  require(assertion?.parentNode === root &&
    assertion.namespaceURI === ofAssertion &&
    others.length === 0, 'structure', 'there is not exactly one assertion')
  for (const name of ['Issuer', 'Subject', 'Conditions'])
    require(childrenOf(assertion as Element, name, ofAssertion).length ===
      1, 'structure', `there is not exactly one ${name}`)
  requireUniqueIds(elements)
  const signatures = all('Signature')
  const signed = new Map(signatures.map(signature => [signedBy(signature), signature]))
  require(signed.size === signatures.length, 'structure', 'something is signed twice')
  const ofTheAssertion = signed.get(assertion as Element)
  require(ofTheAssertion, 'unsigned')
  require([...signed.keys()].every(
    element => element === assertion || element === root,
  ), 'structure', 'a signature is out of place')
  return {
    xml,
    signatures: { assertion: ofTheAssertion, response: signed.get(root) },
    destination: attributeOf(root, 'Destination'),
    inResponseTo: attributeOf(root, 'InResponseTo'),
  }
}

function decoded(field: string): string {
  const base64 = field.replaceAll(/\s/g, '')
  require(/^[A-Za-z0-9+/]+={0,2}$/.test(base64), 'unreadable', 'the field is not base64')
  try {
    // As every reader of XML does first, and the signature takes for granted.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')).replaceAll(/\r\n?/g, '\n')
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
  const ids = elements
    .flatMap(element => Array.from(element.attributes))
    .filter(({ localName }) => localName?.toLowerCase() === 'id')
  require(new Set(ids.map(({ value }) => value)).size === ids.length, 'structure', 'an id is there twice')
}

/** The element that a signature stands in, when it signs that and nothing else, by algorithms that hold. */
function signedBy(signature: Element): Element {
  const below = elementsOf(signature)
  const named = (name: string): Element[] => below.filter(element => element.localName === name)
  require(signature.namespaceURI === ofSignature &&
    below.slice(1).every(element => element.localName !== 'Signature'), 'structure', 'a signature is none')
  for (const name of once)
    require(named(name).length === 1 &&
      named(name)[0]?.namespaceURI === ofSignature, 'structure', `a signature has not exactly one ${name}`)
  const children = below.filter(({ parentNode }) => parentNode === signature)
  require(children.every(({ localName }) =>
    parts.includes(localName),
  ), 'structure', 'a signature has more than its parts')
  for (const [name, allowed] of Object.entries(algorithms)) {
    for (const element of named(name))
      require(allowed.includes(attributeOf(element, 'Algorithm') ?? ''), 'algorithm', attributeOf(element, 'Algorithm'))
  }
  const parent = signature.parentNode as Element
  const id = attributeOf(parent, 'ID')
  require(id && attributeOf(named('Reference')[0], 'URI') === `#${id}`, 'structure', 'a signature signs something else')
  return parent
}

function require(holds: unknown, reason: Reason, said?: string): asserts holds {
  if (!holds) throw refused(reason, said)
}
