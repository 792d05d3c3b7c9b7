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
import { fewAtOnce } from '../lists/few-at-once.ts'
import { inSlices } from '../lists/in-slices.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { revisionLookup } from '../reading/revision-lookup.ts'

/** The text of a comment or reply as it was written, or as it is read; without either it is empty. */
export interface CommentText {
  markdown?: string
  /** A `JSONDocument`. */
  document?: object
}

/** How texts are read. */
export type TextFormat = 'markdown' | 'document'

/** A text as it is kept: what was given, with what a document may leave out. */
export function givenText({ markdown, document }: z.output<typeof DocumentInput>): CommentText {
  if (markdown !== undefined) return { markdown }
  if (!document) return {}
  return { document: completeDocument(document) }
}

/** Reads texts in a format. What they refer to is looked up in a revision, as it is seen from its root. */
export async function readTexts(
  texts: readonly CommentText[],
  { format, revision }: { format: TextFormat; revision: RevisionRow },
  context: Context,
): Promise<CommentText[]> {
  const isOther = (text: CommentText) => text[format === 'document' ? 'markdown' : 'document'] !== undefined
  if (!texts.some(isOther)) return [...texts]
  return format === 'document' ? asDocuments(texts, revision, context) : asMarkdown(texts, revision, context)
}

/** Parsed in worker threads, once for each text; what it refers to is looked up anew, since content changes. */
async function asDocuments(
  texts: readonly CommentText[],
  revision: RevisionRow,
  context: Context,
): Promise<CommentText[]> {
  const content = await revisionLookup(context, revision)
  const parsed = await pMap(
    texts,
    async text => (text.markdown === undefined ? text : { read: await parse(text.markdown, context) }),
    fewAtOnce,
  )
  return inSlices(parsed, text => ('read' in text ? { document: withTargets(text.read, content) } : text))
}

function parse(markdown: string, context: Context): Promise<JSONDocument> {
  // A comment has no front matter: what a line break precedes is none.
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
    // A page is written as its URL, which stays right when the page moves.
    page: () => undefined,
    fileById: id => files.get(id),
    reusable: id => reusable.get(id),
  }
  const target = (ref: DocumentRef, kind?: 'openapi') => writeTarget(ref, place, kind)
  return inSlices(texts, text =>
    text.document ? { markdown: toMarkdown(text.document as JSONDocument, { target }) } : text,
  )
}
