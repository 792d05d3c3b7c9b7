import { block, textNode } from '../document/nodes.ts'
import type { JSONDocument } from '../document/schema.ts'
import { toMarkdown } from './to-markdown.ts'

/** A page whose document has nothing but URLs for references. */
export interface ReadPage {
  title: string
  description?: string
  /** The labels of its tags. */
  tags?: string[]
  document: JSONDocument
}

/** Writes a page for those who read it without its site: title, description, tags and text, without front matter. */
export function writePage({ title, description, tags = [], document }: ReadPage): string {
  const line = (text: string) => [textNode(text.replaceAll(/\s+/g, ' ').trim())]
  const heading = block('heading-1', { data: { level: 1 }, nodes: line(title) })
  const about = description?.trim() ? [block('paragraph', { nodes: line(description) })] : []
  const labels = tags.length > 0 ? [block('paragraph', { nodes: line(tags.join(' · ')) })] : []
  const nodes = [heading, ...about, ...labels, ...document.nodes]
  return toMarkdown({ ...document, nodes }, { target: ref => (ref.kind === 'url' ? ref.url : '') })
}
