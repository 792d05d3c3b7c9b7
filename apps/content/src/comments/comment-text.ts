import { createHash } from 'node:crypto'
import type { DocumentInput } from '@recto/contracts-content'
import {
  completeDocument,
  decodeEntities,
  type DocumentRef,
  type JSONDocument,
  toMarkdown,
  withReferences,
} from '@recto/markdown'
import type { z } from 'zod'
import pMap from 'p-map'
import type { ContentLookup } from '../pages/content-lookup.ts'
import { documentOf } from '../documents/documents.ts'
import { referenceOf } from '../pages/named-target.rules.ts'
import { loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import { type TargetContext, writeTarget } from '../pages/write-target.ts'
import type { Context } from '../shared/context.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { mapInSlices } from '../lists/map-in-slices.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { revisionLookup } from '../reading/revision-lookup.ts'

/** The text of a comment or reply, in one of two formats; empty without either. */
export interface CommentText {
  markdown?: string
  /** A `JSONDocument`. */
  document?: object
}

/** The format in which a caller reads texts. */
export type TextFormat = 'markdown' | 'document'

/** Makes the stored text of a request's text: a document gets the fields that requests may leave out. */
export function toCommentText({ markdown, document }: z.output<typeof DocumentInput>): CommentText {
  if (markdown !== undefined) return { markdown }
  if (!document) return {}
  return { document: completeDocument(document) }
}

/** Converts texts to a format. References are resolved in the revision, from the root of its content. */
export async function readTexts(
  texts: readonly CommentText[],
  { format, revision }: { format: TextFormat; revision: RevisionRow },
  context: Context,
): Promise<CommentText[]> {
  const isInOtherFormat = (text: CommentText) => text[format === 'document' ? 'markdown' : 'document'] !== undefined
  if (!texts.some(isInOtherFormat)) return [...texts]
  return format === 'document' ? asDocuments(texts, revision, context) : asMarkdown(texts, revision, context)
}

/** Parses texts in worker threads, each text once; its references are resolved on every call, since content changes. */
async function asDocuments(
  texts: readonly CommentText[],
  revision: RevisionRow,
  context: Context,
): Promise<CommentText[]> {
  const content = await revisionLookup(context, revision)
  const parsedTexts = await pMap(
    texts,
    async text => (text.markdown === undefined ? text : { read: await parse(text.markdown, context) }),
    requestConcurrency,
  )
  return mapInSlices(parsedTexts, text => ('read' in text ? { document: withTargets(text.read, content) } : text))
}

function parse(markdown: string, context: Context): Promise<JSONDocument> {
  // The line break keeps the parser from reading front matter, which a comment does not have.
  const bytes = Buffer.from(`\n${markdown}`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return documentOf(context.markdown, { hash, bytes })
}

function withTargets(document: JSONDocument, content: ContentLookup): JSONDocument {
  return withReferences(document, (target, kind) => {
    const url = decodeEntities(target)
    const fallback =
      kind === 'include' ? { kind: 'reusable-content' as const, reusableContent: url } : { kind: 'url' as const, url }
    return referenceOf({ target, kind, page: '', file: '' }, content) ?? fallback
  })
}

async function asMarkdown(
  texts: readonly CommentText[],
  revision: RevisionRow,
  { db, publicUrl }: Context,
): Promise<CommentText[]> {
  const files = await loadFileIndex(db, revision.filesRoot)
  const reusable = new Map((await loadReusableContents(db, revision.reusableRoot)).map(record => [record.id, record]))
  const place: TargetContext = {
    file: '',
    spaceId: revision.spaceId,
    publicUrl,
    // A reference to a page is written as its URL, which stays right when the page moves.
    page: () => undefined,
    fileById: id => files.get(id),
    reusable: id => reusable.get(id),
  }
  const target = (ref: DocumentRef, kind?: 'openapi') => writeTarget(ref, place, kind)
  return mapInSlices(texts, text =>
    text.document ? { markdown: toMarkdown(text.document as JSONDocument, { target }) } : text,
  )
}
