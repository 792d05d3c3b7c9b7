import { parse, type DefaultTreeAdapterTypes } from 'parse5'

/** An element of a page. */
export type Element = DefaultTreeAdapterTypes.Element
/** An element or a document. */
export type ParentNode = DefaultTreeAdapterTypes.ParentNode

/** A page as a tree. */
export type Page = DefaultTreeAdapterTypes.Document

/** Parses a page (WHATWG HTML). */
export const parsePage = (html: string): Page => parse(html)

/** All elements of a page in their order. */
export function elementsIn(root: ParentNode): Element[] {
  const elements: Element[] = []
  const pending: ParentNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    for (const child of node.childNodes.toReversed()) if ('tagName' in child) pending.push(child)
    if ('tagName' in node) elements.push(node)
  }
  return elements
}

/** An attribute of an element; undefined for one that it does not have. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find(attribute => attribute.name === name)?.value
}
