import type { DocumentBlock, DocumentFragment, DocumentNode, DocumentRef, JSONDocument } from '@recto/markdown/schema'
import { referenceKey, type BodyNeeds } from './model/body.ts'
import { fieldsOf, textsOf } from './model/read.ts'
import { cellReference } from './model/references.ts'

/** Lists what a document refers to, each once and in its order. URLs lead where they say, and are not among them. */
export function bodyNeeds(document: JSONDocument): BodyNeeds {
  const references = new Map<string, DocumentRef>()
  const reusableContents = new Map<string, DocumentRef>()
  const embeds = new Set<string>()
  const specifications = new Set<string>()
  const add = (value: unknown) => {
    const { kind, spec } = fieldsOf(value)
    if (typeof kind !== 'string' || kind === 'url') return
    const ref = value as DocumentRef
    if (kind === 'openapi') specifications.add(String(spec))
    else (kind === 'reusable-content' ? reusableContents : references).set(referenceKey(ref), ref)
  }
  for (const node of nodesOf(document.nodes)) {
    if (node.object === 'text' || node.object === 'fragment') continue
    const { ref, refDark, url } = node.data ?? {}
    add(ref)
    add(refDark)
    if (node.type === 'embed' && typeof url === 'string') embeds.add(url)
    if (node.type === 'table') for (const value of cellReferences(node)) add(value)
  }
  return {
    references: [...references.values()],
    embeds: [...embeds],
    specifications: [...specifications],
    reusableContents: [...reusableContents.values()],
  }
}

type Node = DocumentNode | DocumentFragment

/** All nodes, parents before children, however deep they are. */
function* nodesOf(nodes: readonly DocumentBlock[]): Generator<Node> {
  const stack: Node[] = nodes.toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node
    if (node.object === 'text') continue
    const fragments = node.object === 'fragment' ? [] : (node.fragments ?? [])
    for (const child of [...(node.nodes ?? []), ...fragments].toReversed()) stack.push(child)
  }
}

/** The references in the cells of a table: files and users by their ids, others as they are. */
function cellReferences({ data = {} }: DocumentBlock): unknown[] {
  const definition = fieldsOf(data['definition'])
  const records = Object.values(fieldsOf(data['records'])).map(record => fieldsOf(fieldsOf(record)['values']))
  return records.flatMap(values =>
    Object.entries(values).flatMap(([column, value]) => {
      const { type } = fieldsOf(definition[column])
      const kind = type === 'users' ? 'user' : 'file'
      if (type === 'text') return []
      if (type === 'files' || type === 'users' || type === 'image')
        if (!fieldsOf(value)['kind'] && !fieldsOf(value)['ref'])
          return textsOf(Array.isArray(value) ? value : [value]).map(item => cellReference(item, kind))
      return [fieldsOf(value)['ref'] ?? value]
    }),
  )
}
