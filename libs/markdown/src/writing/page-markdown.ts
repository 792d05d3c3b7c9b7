import { block, textNode } from '../document/nodes.ts'
import type { JSONDocument } from '../document/schema.ts'
import { toMarkdown } from './to-markdown.ts'

/** A page whose document has nothing but URLs for references. */
export interface ReadPage {
  title: string
  description?: string
  document: JSONDocument
}

/** Writes a page for those who read it without its site: title, description and text, without front matter. */
export function writePage({ title, description, document }: ReadPage): string {
  const line = (text: string) => [textNode(text.replaceAll(/\s+/g, ' ').trim())]
  const heading = block('heading-1', { data: { level: 1 }, nodes: line(title) })
  const about = description?.trim() ? [block('paragraph', { nodes: line(description) })] : []
  const nodes = [heading, ...about, ...document.nodes]
  return toMarkdown({ ...document, nodes }, { target: ref => (ref.kind === 'url' ? ref.url : '') })
}
