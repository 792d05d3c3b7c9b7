import type { FoundReference, ReferenceKind } from '../outline/references.ts'
import type { DocumentRef, JSONDocument } from './schema.ts'

/** No page holds it, since Markdown has no NUL: what starts with it is a target that is not resolved yet. */
const mark = '\0'

/** A reference that says what was written, for documents that are read before their targets can be looked up. */
export function writtenReference(target: string, kind: ReferenceKind): DocumentRef {
  return { kind: 'url', url: `${mark}${kind}:${target}` }
}

/** A copy of a document that was read with `writtenReference`, in which each reference is what `reference` makes of it. */
export function withReferences(
  document: JSONDocument,
  reference: (target: string, kind: ReferenceKind) => DocumentRef,
): JSONDocument {
  const resolved = (text: string) => {
    const colon = text.indexOf(':')
    return reference(text.slice(colon + 1), text.slice(mark.length, colon) as ReferenceKind)
  }
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item => (isWritten(item) ? referenceId(resolved(item)) : copy(item)))
    if (typeof value !== 'object' || value === null) return value
    if ('url' in value && 'kind' in value && isWritten(value.url)) return resolved(value.url)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]))
  }
  return copy(document) as JSONDocument
}

/** The target of a reference that `writtenReference` made, as it was written; undefined for any other. */
export function writtenTarget(ref: DocumentRef): string | undefined {
  return ref.kind === 'url' && isWritten(ref.url) ? ref.url.slice(ref.url.indexOf(':') + 1) : undefined
}

/** The references that the data of a node has, as `writtenReference` made them. */
export function writtenReferencesIn(data: unknown): FoundReference[] {
  if (isWritten(data)) {
    const colon = data.indexOf(':')
    return [{ target: data.slice(colon + 1), kind: data.slice(mark.length, colon) as ReferenceKind }]
  }
  if (typeof data !== 'object' || data === null) return []
  return Object.values(data).flatMap(writtenReferencesIn)
}

function isWritten(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(mark)
}

/** How a cell of files or users has a reference: the id of a file or a user; a target that is none stands for itself. */
export function referenceId(ref: DocumentRef): string {
  if (ref.kind === 'file') return ref.file
  if (ref.kind === 'user') return ref.user
  return ref.kind === 'url' && /[/:.]/.test(ref.url) && !ref.url.startsWith('{') ? ref.url : JSON.stringify(ref)
}
