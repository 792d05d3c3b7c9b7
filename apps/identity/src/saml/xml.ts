import { DOMParser } from '@xmldom/xmldom'
import { refused } from './refusal.ts'

/** The namespaces of SAML 2.0 and of XML signatures. */
export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

const kinds = { element: 1, text: 3, instruction: 7 } as const
// Nobody has signed in yet who can send a document: these keep small what it costs to read it.
const most = { characters: 256 * 1024, elements: 2_000, attributes: 8_000 }
const illegal = new RegExp(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]`)

/** Reads a document that is elements, attributes and text and nothing else; everything that parsers disagree about is refused. */
export function parseStrictly(xml: string): Element {
  if (xml.length > most.characters || count(xml, '<') > 2 * most.elements || count(xml, '=') > most.attributes)
    throw refused('unreadable', 'the document is too large')
  const document = parsed(xml)
  const root = document.documentElement as Element | null
  if (!root) throw refused('unreadable', 'there is no element')
  // The XML declaration is an instruction to this parser.
  const [first, ...rest] = Array.from(document.childNodes)
  const isDeclaration = first?.nodeType === kinds.instruction && first.nodeName === 'xml'
  const around = [...(isDeclaration ? [] : [first]), ...rest].filter(node => node && node !== root)
  if (around.some(node => node?.nodeType !== kinds.text))
    throw refused('markup', 'there is more than one element and its declaration')
  requirePlain(root)
  return root
}

function parsed(xml: string): Document {
  const fail = (_level: string, message: string): never => {
    throw new Error(message)
  }
  try {
    return new DOMParser({ errorHandler: fail, locator: {} }).parseFromString(xml, 'text/xml')
  } catch (error) {
    throw refused('unreadable', String(error))
  }
}

function requirePlain(root: Element): void {
  for (const node of nodesOf(root)) {
    if (node.nodeType !== kinds.element && node.nodeType !== kinds.text)
      throw refused('markup', `there is a ${node.nodeName}`)
    if (node.nodeType === kinds.text && illegal.test(node.nodeValue ?? ''))
      throw refused('unreadable', 'there is a character that XML has not')
    if (isElement(node) && Array.from(node.attributes).some(({ value }) => illegal.test(value)))
      throw refused('unreadable', 'there is a character that XML has not')
  }
}

/** All nodes below, in no particular order, without recursion: the document decides how deep it is. */
function nodesOf(root: Element): Node[] {
  const nodes: Node[] = []
  for (const open: Node[] = [root]; ;) {
    const node = open.pop()
    if (!node) return nodes
    nodes.push(node)
    if (isElement(node)) open.push(...Array.from(node.childNodes))
  }
}

/** An element and all elements below it. */
export function elementsOf(root: Element): Element[] {
  return nodesOf(root).filter(isElement)
}

/** The children of this name, in this namespace. */
export function childrenOf(element: Element, name: string, namespace: string): Element[] {
  return Array.from(element.childNodes)
    .filter(isElement)
    .filter(child => child.localName === name && child.namespaceURI === namespace)
}

/** The text of an element that holds nothing but text. */
export function textOf(element: Element | undefined): string {
  const nodes = element ? Array.from(element.childNodes) : []
  return nodes.every(node => node.nodeType === kinds.text)
    ? nodes
        .map(node => node.nodeValue ?? '')
        .join('')
        .trim()
    : ''
}

/** An attribute without prefix, undefined when it is not there. */
export function attributeOf(element: Element | undefined, name: string): string | undefined {
  return element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined
}

function isElement(node: Node): node is Element {
  return node.nodeType === kinds.element
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
