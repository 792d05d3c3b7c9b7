import { DOMParser } from '@xmldom/xmldom'
import { signInRefused } from '../sign-ins/refusal.ts'

/** The namespaces of SAML 2.0 and of XML signatures. */
export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

const nodeTypes = { element: 1, text: 3, instruction: 7 } as const
// Anybody can send a document, so these limit what it costs to parse one.
const limits = { characters: 256 * 1024, elements: 2_000, attributes: 8_000 }
const illegalCharacters = new RegExp(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]`)

/** Parses a document of elements, attributes and text; everything that parsers treat differently (DTDs, comments, CDATA) is refused. */
export function parseStrictly(xml: string): Element {
  if (
    xml.length > limits.characters ||
    occurrences(xml, '<') > 2 * limits.elements ||
    occurrences(xml, '=') > limits.attributes
  )
    throw signInRefused('unreadable', 'the document is too large')
  const document = parseXml(xml)
  const root = document.documentElement as Element | null
  if (!root) throw signInRefused('unreadable', 'the document has no element')
  // This parser represents the XML declaration as a processing instruction.
  const [first, ...rest] = Array.from(document.childNodes)
  const isDeclaration = first?.nodeType === nodeTypes.instruction && first.nodeName === 'xml'
  const around = [...(isDeclaration ? [] : [first]), ...rest].filter(node => node && node !== root)
  if (around.some(node => node?.nodeType !== nodeTypes.text))
    throw signInRefused('markup', 'only the XML declaration may stand beside the root element')
  refuseOtherNodes(root)
  return root
}

function parseXml(xml: string): Document {
  const fail = (_level: string, message: string): never => {
    throw new Error(message)
  }
  try {
    return new DOMParser({ errorHandler: fail, locator: {} }).parseFromString(xml, 'text/xml')
  } catch (error) {
    throw signInRefused('unreadable', String(error))
  }
}

function refuseOtherNodes(root: Element): void {
  for (const node of descendantsOf(root)) {
    if (node.nodeType !== nodeTypes.element && node.nodeType !== nodeTypes.text)
      throw signInRefused('markup', `${node.nodeName} is not allowed`)
    if (node.nodeType === nodeTypes.text && illegalCharacters.test(node.nodeValue ?? ''))
      throw signInRefused('unreadable', 'a character is not allowed in XML')
    if (isElement(node) && Array.from(node.attributes).some(({ value }) => illegalCharacters.test(value)))
      throw signInRefused('unreadable', 'a character is not allowed in XML')
  }
}

/** All descendants, in no particular order; without recursion, since the document decides how deep it is. */
function descendantsOf(root: Element): Node[] {
  const nodes: Node[] = []
  for (const open: Node[] = [root]; ;) {
    const node = open.pop()
    if (!node) return nodes
    nodes.push(node)
    if (isElement(node)) open.push(...Array.from(node.childNodes))
  }
}

/** An element and its descendants. */
export function elementsOf(root: Element): Element[] {
  return descendantsOf(root).filter(isElement)
}

/** The children of this name, in this namespace. */
export function childrenOf(element: Element, name: string, namespace: string): Element[] {
  return Array.from(element.childNodes)
    .filter(isElement)
    .filter(child => child.localName === name && child.namespaceURI === namespace)
}

/** The text of an element that contains only text; empty for others. */
export function textOf(element: Element | undefined): string {
  const nodes = element ? Array.from(element.childNodes) : []
  return nodes.every(node => node.nodeType === nodeTypes.text)
    ? nodes
        .map(node => node.nodeValue ?? '')
        .join('')
        .trim()
    : ''
}

/** An attribute without prefix; undefined when it is absent. */
export function attributeOf(element: Element | undefined, name: string): string | undefined {
  return element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined
}

function isElement(node: Node): node is Element {
  return node.nodeType === nodeTypes.element
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1
}
