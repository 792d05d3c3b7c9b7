import { signInRefused, type Reason } from '../sign-ins/refusal.ts'
import { algorithms } from './signature.ts'
import { attributeOf, childrenOf, elementsOf, namespaces, parseStrictly } from './xml.ts'

const { protocol, assertion: ofAssertion, signature: ofSignature } = namespaces
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const encrypted = ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute', 'EncryptedData']

/** Elements that a signature must contain exactly once: the library uses the first one it finds, wherever it is. */
const exactlyOnce = [
  'SignedInfo',
  'SignatureValue',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'Transforms',
  'DigestMethod',
  'DigestValue',
]
const signatureParts = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/** A response around its assertion. Its fields are not signed unless the response is. */
export interface SamlResponse {
  xml: string
  /** The signature of the assertion, and that of the response if it has one. */
  signatures: { assertion: Element; response: Element | undefined }
  destination: string | undefined
  inResponseTo: string | undefined
}

/**
 * Parses the form field of the HTTP POST binding and refuses every document in which it is ambiguous which assertion is signed
 * (signature wrapping). Signatures are not verified here, so the result must not be trusted yet.
 */
export function parseResponse(field: string): SamlResponse {
  const xml = decodeField(field)
  const root = parseStrictly(xml)
  const elements = elementsOf(root)
  assertValid(
    root.localName === 'Response' && root.namespaceURI === protocol,
    'structure',
    'the root element is not a response',
  )
  const all = (name: string): Element[] => elements.filter(element => element.localName === name)
  assertValid(
    encrypted.every(name => all(name).length === 0),
    'encrypted',
  )
  refuseFailedStatus(root)
  const [assertion, ...others] = all('Assertion')
  assertValid(
    assertion?.parentNode === root && assertion.namespaceURI === ofAssertion && others.length === 0,
    'structure',
    'there must be exactly one assertion',
  )
  for (const name of ['Issuer', 'Subject', 'Conditions'])
    assertValid(
      childrenOf(assertion as Element, name, ofAssertion).length === 1,
      'structure',
      `there must be exactly one ${name}`,
    )
  refuseDuplicateIds(elements)
  const signatures = all('Signature')
  const signatureOf = new Map(signatures.map(signature => [signedElement(signature), signature]))
  assertValid(signatureOf.size === signatures.length, 'structure', 'an element has two signatures')
  const assertionSignature = signatureOf.get(assertion as Element)
  assertValid(assertionSignature, 'unsigned')
  assertValid(
    [...signatureOf.keys()].every(element => element === assertion || element === root),
    'structure',
    'an element other than the response and its assertion is signed',
  )
  return {
    xml,
    signatures: { assertion: assertionSignature, response: signatureOf.get(root) },
    destination: attributeOf(root, 'Destination'),
    inResponseTo: attributeOf(root, 'InResponseTo'),
  }
}

function decodeField(field: string): string {
  const base64 = field.replaceAll(/\s/g, '')
  assertValid(/^[A-Za-z0-9+/]+={0,2}$/.test(base64), 'unreadable', 'the field is not base64')
  try {
    // XML parsers normalize line ends first, and signatures cover the normalized text.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')).replaceAll(/\r\n?/g, '\n')
  } catch {
    throw signInRefused('unreadable', 'the field is not UTF-8')
  }
}

function refuseFailedStatus(root: Element): void {
  const codes = childrenOf(root, 'Status', protocol).flatMap(status => childrenOf(status, 'StatusCode', protocol))
  const values = codes.map(code => attributeOf(code, 'Value'))
  assertValid(values.length === 1 && values[0] === success, 'status', values.join(', '))
}

function refuseDuplicateIds(elements: Element[]): void {
  const ids = elements
    .flatMap(element => Array.from(element.attributes))
    .filter(({ localName }) => localName?.toLowerCase() === 'id')
  assertValid(new Set(ids.map(({ value }) => value)).size === ids.length, 'structure', 'two elements have the same id')
}

/** The parent element of a signature; refuses signatures that cover something else or use an algorithm that is not allowed. */
function signedElement(signature: Element): Element {
  const below = elementsOf(signature)
  const childrenNamed = (name: string): Element[] => below.filter(element => element.localName === name)
  assertValid(
    signature.namespaceURI === ofSignature && below.slice(1).every(element => element.localName !== 'Signature'),
    'structure',
    'a signature is not in the XML signature namespace, or contains another one',
  )
  for (const name of exactlyOnce)
    assertValid(
      childrenNamed(name).length === 1 && childrenNamed(name)[0]?.namespaceURI === ofSignature,
      'structure',
      `a signature must contain exactly one ${name}`,
    )
  const children = below.filter(({ parentNode }) => parentNode === signature)
  assertValid(
    children.every(({ localName }) => signatureParts.includes(localName)),
    'structure',
    'a signature has an unexpected child',
  )
  for (const [name, allowed] of Object.entries(algorithms)) {
    for (const element of childrenNamed(name))
      assertValid(
        allowed.includes(attributeOf(element, 'Algorithm') ?? ''),
        'algorithm',
        attributeOf(element, 'Algorithm'),
      )
  }
  const parent = signature.parentNode as Element
  const id = attributeOf(parent, 'ID')
  assertValid(
    id && attributeOf(childrenNamed('Reference')[0], 'URI') === `#${id}`,
    'structure',
    'a signature references another element',
  )
  return parent
}

function assertValid(condition: unknown, reason: Reason, detail?: string): asserts condition {
  if (!condition) throw signInRefused(reason, detail)
}
