import type { Heading, Html, Nodes, Root } from 'mdast'
import { attribute, htmlText, parseHtml } from '../syntax/html.ts'
import type { TagNode } from '../syntax/nodes.ts'
import { normalizeText, parseMarkdown } from '../syntax/parse.ts'
import { Anchors } from './anchors.ts'
import { elementReferences, elementsOf, tagReference, type FoundReference } from './references.ts'
import { splitPage } from '../front-matter/split-page.ts'

/** The text from one heading to the next; the text before the first heading has level 0 and no anchor. */
export interface OutlineSection {
  anchor?: string
  title: string
  /** 1 for `#`, 0 for the text before the first heading. */
  level: number
  /** Words without URLs and without the syntax of tags, one block a line. */
  text: string
  /** The anchors of the headings that this one stands under, and its own. */
  anchorPath?: string[]
}

/** Where a page refers to something: the line counts from 1 in the file, the anchor is that of the section. */
export interface OutlineReference extends FoundReference {
  line: number
  anchor?: string
}

/** The content of a page for search and links. */
export interface Outline {
  /** The first heading, when the page starts with it and it is of level 1. */
  title?: string
  sections: OutlineSection[]
  /** In the order of the page. */
  anchors: string[]
  references: OutlineReference[]
}

/** The outline of a page file that is not parsed: one section of its whole text. */
export function unparsedOutline(markdown: string): Outline {
  const { body } = splitPage(normalizeText(markdown))
  return { sections: [{ title: '', level: 0, text: body }], anchors: [], references: [] }
}

/** Reads the outline of a page file in one parse; a page beyond `markdownBounds` is one section of its whole text. */
export function readOutline(markdown: string): Outline {
  const { body, firstLine } = numberedBody(markdown)
  const tree = parseMarkdown(body)
  return tree ? outlineOfTree(tree, firstLine) : unparsedOutline(markdown)
}

/** The body of a page file, with the line of the file that it starts on. */
export function numberedBody(markdown: string): { body: string; firstLine: number } {
  const text = normalizeText(markdown)
  const { body, bodyOffset } = splitPage(text)
  return { body, firstLine: text.slice(0, bodyOffset).split('\n').length }
}

/** The outline of a body that is parsed. */
export function outlineOfTree(tree: Root, firstLine: number): Outline {
  return new OutlineReader(tree, firstLine).read()
}

/** The anchor that a heading says for itself, as in `## Title <a href="#id" id="id"></a>`. */
export function explicitAnchor(heading: Heading): string | undefined {
  for (const child of heading.children) {
    const [element] = child.type === 'html' ? elementsOf(parseHtml(child.value) ?? []) : []
    const id = element?.tagName === 'a' ? (attribute(element, 'id') ?? attribute(element, 'name')) : undefined
    if (id) return id
  }
  return undefined
}

/** The heading of a page's title: of level 1, and before all else. */
export function titleHeading({ children: [first] }: Root): Heading | undefined {
  return first?.type === 'heading' && first.depth === 1 ? first : undefined
}

/** The anchors of the headings of a page but its title, in order. What a page says stands; the others are made around it. */
export function headingAnchors(headings: readonly Heading[]): { anchors: Anchors; ids: Map<Heading, string> } {
  const anchors = new Anchors()
  const ids = new Map<Heading, string>()
  for (const heading of headings) {
    const id = explicitAnchor(heading)
    if (id !== undefined && anchors.add(id)) ids.set(heading, id)
  }
  for (const heading of headings) if (!ids.has(heading)) ids.set(heading, anchors.slug(plainText(heading)))
  return { anchors, ids }
}

/** All headings, in the order of the page. */
export function headingsOf(node: Nodes): Heading[] {
  if (node.type === 'heading') return [node]
  return 'children' in node ? (node.children as Nodes[]).flatMap(headingsOf) : []
}

/** The words of a node. */
export function plainText(node: Nodes): string {
  if (node.type === 'html') return /^<br\b/i.test(node.value) ? ' ' : htmlText(parseHtml(node.value) ?? [])
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if (node.type === 'break') return ' '
  if ('value' in node) return node.value
  return 'children' in node ? (node.children as Nodes[]).map(plainText).join('') : ''
}

class OutlineReader {
  private readonly tree: Root
  private readonly firstLine: number
  private readonly ids: Map<Heading, string>
  private readonly explicit = new Set<string>()
  private readonly outline: Outline = {
    sections: [{ title: '', level: 0, text: '' }],
    anchors: [],
    references: [],
  }
  private readonly path: { level: number; anchor: string }[] = []

  constructor(tree: Root, firstLine: number) {
    this.tree = tree
    this.firstLine = firstLine
    const title = titleHeading(tree)
    this.ids = headingAnchors(headingsOf(tree).filter(heading => heading !== title)).ids
    if (title) this.outline.title = plainText(title).trim()
  }

  read(): Outline {
    this.readBlock(this.tree)
    for (const section of this.outline.sections) section.text = section.text.trim()
    const [first] = this.outline.sections
    if (first?.text === '' && this.outline.sections.length > 1) this.outline.sections.shift()
    return { ...this.outline, anchors: [...new Set([...this.outline.anchors, ...this.explicit])] }
  }

  private readBlock(node: Nodes): void {
    if (node.type === 'heading') return this.readHeading(node)
    if (node.type === 'paragraph' || node.type === 'tableCell') {
      this.readInline(node)
      return this.append(plainText(node))
    }
    if (node.type === 'tag') {
      this.readTag(node)
      const { title, summary, description } = node.attributes
      return this.append([title, summary, description].filter(Boolean).join('\n'))
    }
    if (node.type === 'html') {
      this.readHtml(node)
      return this.append(htmlText(parseHtml(node.value) ?? []))
    }
    if (node.type === 'definition') {
      const kind = node.title === 'mention' ? 'mention' : 'link'
      return this.addReference(node, { target: node.data?.target ?? node.url, kind })
    }
    if ('children' in node) for (const child of node.children) this.readBlock(child)
    else if ('value' in node) this.append(node.value)
  }

  private readHeading(heading: Heading): void {
    this.readInline(heading)
    const anchor = this.ids.get(heading)
    if (anchor === undefined) return
    while ((this.path.at(-1)?.level ?? 0) >= heading.depth) this.path.pop()
    this.path.push({ level: heading.depth, anchor })
    this.outline.anchors.push(anchor)
    this.outline.sections.push({
      anchor,
      title: plainText(heading).trim(),
      level: heading.depth,
      text: '',
      anchorPath: this.path.map(({ anchor }) => anchor),
    })
  }

  private readInline(node: Nodes): void {
    if (node.type === 'html') this.readHtml(node)
    if (node.type === 'tag') this.readTag(node)
    if (node.type === 'link' || node.type === 'image') {
      const kind = node.type === 'image' ? 'image' : node.title === 'mention' ? 'mention' : 'link'
      this.addReference(node, { target: node.data?.target ?? node.url, kind })
    }
    if ('children' in node) for (const child of node.children) this.readInline(child)
  }

  private readTag(node: TagNode): void {
    this.addReference(node, tagReference(node))
  }

  private readHtml(node: Html): void {
    for (const element of elementsOf(parseHtml(node.value) ?? [])) {
      const line = (element.sourceCodeLocation?.startLine ?? 1) - 1
      for (const reference of elementReferences(element, node.value)) this.addReference(node, reference, line)
      const id = attribute(element, 'id') ?? (element.tagName === 'a' ? attribute(element, 'name') : undefined)
      if (id) this.explicit.add(id)
    }
  }

  private addReference(node: Nodes, reference: FoundReference | undefined, line = 0): void {
    if (!reference?.target) return
    const start = (node.position?.start.line ?? 1) + this.firstLine - 1
    const anchor = this.outline.sections.at(-1)?.anchor
    this.outline.references.push({ ...reference, line: start + line, ...(anchor !== undefined && { anchor }) })
  }

  private append(text: string): void {
    const section = this.outline.sections.at(-1)
    if (section && text.trim() !== '') section.text += `${text.trim()}\n`
  }
}
