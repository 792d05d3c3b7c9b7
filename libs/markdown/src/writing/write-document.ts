import { canonicalNodes, firstDifference } from '../document/canonical.rules.ts'
import type { DocumentRef, JSONDocument } from '../document/schema.ts'
import { toDocument } from '../document/to-document.ts'
import { decodeEntities, encodeEntities } from '../syntax/attributes.ts'
import { toMarkdown } from './to-markdown.ts'

/**
 * The place of the first node, or of its first field, that Markdown cannot keep: what is written of the document reads back as another
 * one. Undefined when all of it is kept. References are not looked up: each but a URL is kept under a name of its own.
 */
export function findUnwritable(document: Pick<JSONDocument, 'nodes'>): string | undefined {
  const refs = new Map<string, DocumentRef>()
  const target = (ref: DocumentRef) => {
    if (ref.kind === 'url') return encodeEntities(ref.url)
    const name = `reference-${Buffer.from(JSON.stringify(ref)).toString('hex')}`
    refs.set(name, ref)
    return name
  }
  const reference = (link: string): DocumentRef => refs.get(link) ?? { kind: 'url', url: decodeEntities(link) }
  const wholeDocument: JSONDocument = { object: 'document', data: { schemaVersion: 1 }, nodes: document.nodes }
  const { nodes } = toDocument(toMarkdown(wholeDocument, { target }), { reference })
  return firstDifference(canonicalNodes(document.nodes), canonicalNodes(nodes))
}
