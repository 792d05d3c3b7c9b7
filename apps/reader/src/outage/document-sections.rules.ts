import { textOf } from '@recto/markdown'
import type { JSONDocument } from '@recto/markdown/schema'
import type { IndexedSection } from '@recto/text'

/** The sections of a document that searches find: without its parts that depend on who reads them. */
export function documentSections(document: JSONDocument): IndexedSection[] {
  const sections: IndexedSection[] = [{ title: '', text: '' }]
  for (const node of document.nodes) {
    if (node.type === 'if') continue
    const text = textOf({ ...document, nodes: [node] })
    const last = sections.at(-1)
    if (node.type.startsWith('heading-')) sections.push({ title: text, anchor: node.meta?.id, text: '' })
    else if (last) last.text += `${text}\n`
  }
  return sections
}
