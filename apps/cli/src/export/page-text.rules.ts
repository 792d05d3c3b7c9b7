import type { IndexedSection } from '@recto/text'
import { attributeOf, elementsIn, type Element, type Page, type ParentNode } from './html-tree.ts'

/** The text of a page for searches: its title, and its text by headings. */
export interface PageText {
  title: string
  description: string
  sections: IndexedSection[]
}

/** Elements whose text continues that around them; all others end words. */
const inlineElements = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)

/** Elements with nothing that an author wrote. */
const furniture = /^(?:script|style|template|nav|svg|button|footer|aside|form|annotation)$/

/** Reads the text of a page: of its article alone, without navigation, buttons, and links to other forms of it. */
export function readPageText(page: Page): PageText {
  const elements = elementsIn(page)
  const body =
    elements.find(element => classesOf(element).includes('page-body')) ??
    elements.find(({ tagName }) => tagName === 'main') ??
    elements.find(({ tagName }) => tagName === 'body')
  const heading = elements.find(({ tagName }) => tagName === 'h1')
  const meta = elements.find(element => attributeOf(element, 'name') === 'description')
  const sections: IndexedSection[] = [{ title: '', text: '' }]
  if (body) collectText(body, sections)
  return {
    title: heading ? textIn(heading) : '',
    description: (meta && attributeOf(meta, 'content')) ?? '',
    sections: sections.map(section => ({ ...section, text: oneLine(section.text) })),
  }
}

function collectText(node: ParentNode, sections: IndexedSection[]): void {
  for (const child of node.childNodes) {
    if ('value' in child && child.nodeName === '#text') addText(sections, child.value)
    if (!('tagName' in child) || isFurniture(child)) continue
    const id = attributeOf(child, 'id')
    const isHeading = /^h[1-6]$/.test(child.tagName)
    if (!inlineElements.has(child.tagName)) addText(sections, ' ')
    if (isHeading && id !== undefined) sections.push({ title: textIn(child), anchor: id, text: '' })
    else collectText(child, sections)
    if (!inlineElements.has(child.tagName)) addText(sections, ' ')
  }
}

function isFurniture(element: Element): boolean {
  return (
    furniture.test(element.tagName) ||
    (element.tagName === 'h1' && attributeOf(element, 'id') === undefined) ||
    attributeOf(element, 'aria-hidden') === 'true' ||
    ['', 'hidden'].includes(attributeOf(element, 'hidden') ?? 'no')
  )
}

function classesOf(element: Element): string[] {
  return (attributeOf(element, 'class') ?? '').split(/\s+/)
}

function addText(sections: IndexedSection[], text: string): void {
  const section = sections.at(-1)
  if (section) section.text += text
}

function textIn(node: ParentNode): string {
  const sections: IndexedSection[] = [{ title: '', text: '' }]
  collectText(node, sections)
  return oneLine(sections.map(({ text }) => text).join(' '))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
