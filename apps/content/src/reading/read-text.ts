import {
  brokenReference,
  decodeEntities,
  type EvaluationScope,
  type JSONDocument,
  type ReferenceKind,
  withoutComments,
  withReferences,
  writtenReference,
} from '@recto/markdown'
import { fileOf } from '../pages/content-lookup.ts'
import { documentOf, emptyDocument, type StoredText } from '../documents/documents.ts'
import { referenceOf } from '../pages/named-target.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { createParseCache, parseOnce } from '../documents/parse-once.ts'
import { reusableFile } from '../pages/repository-files.ts'
import { resolveTarget, type WrittenTarget } from '@recto/repository-content'
import { unresolvedApplicationUrl, withoutBrokenLinks, withVisitedPlaces } from '../pages/visitor-document.ts'
import type { Context as FullContext } from '../shared/context.ts'
import { documentBytes } from '../content-store/content.repository.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { ContentView } from '../audience/content-view.ts'
import { revisionLookup } from './revision-lookup.ts'
import { visitedPlaces } from './visited-places.ts'

/** The tools for reading texts. */
export type TextTools = Pick<FullContext, 'db' | 'publicUrl' | 'actor' | 'markdown' | 'publishing'>

/** The options for reading a text. */
export interface TextRequest {
  format?: 'document' | 'markdown' | undefined
  evaluated: 'true' | 'false' | 'deterministic-only'
  /** Whether reusable contents stand in the place of the blocks that include them; false by default. */
  dereferenced?: 'true' | 'false' | 'reusable-contents' | undefined
  /** How Markdown names what it refers to; `relative` by default. */
  'format.markdown.refs'?: 'relative' | 'stable' | undefined
  /** The address of the space below which links of the Markdown of visitors lead to that of pages. */
  'format.markdown.base'?: string | undefined
}

/** The content that a text belongs to; without a view, its links lead only to what the caller sees of the revision. */
export interface ReadContent {
  revision: RevisionRow
  view?: ContentView | undefined
}

/** A text of a revision: what it belongs to, and the path of its file, from which its targets are seen. */
export interface WrittenText {
  hash: string | undefined
  title: string
  /** The page that anchors without a page refer to; empty for a reusable content. */
  page: string
  file: string
  variables: Record<string, unknown>
}

/** The text of a page. */
export function textOfPage({ id, title, document, variables = {} }: PageRecord, index: PageIndex): WrittenText {
  const page = index.get(id)
  return { hash: document, title, page: id, file: page ? fileOf(page, index) : '', variables }
}

/** The text of a reusable content; it has no variables of its own. */
export function textOfReusable(reusable: ReusableRecord): WrittenText {
  const { title, document } = reusable
  return { hash: document, title, page: '', file: reusableFile(reusable), variables: {} }
}

/** Bytes that a document and its reply take for each byte of Markdown, about. */
const growth = 24

/** A document with the references of its own content. */
interface ReadDocument {
  document: JSONDocument
  /** URLs of the application that lead out of the revision, for a visitor; they are still unchanged. */
  urls: string[]
}

/** Documents with the references of a revision: all visitors with the same claims get the same. */
const documents = createParseCache<ReadDocument>(64 * 1024 * 1024)

/** Reads a text as a document whose references are those of the revision: once for all callers who see the same. */
export async function readDocument(
  text: WrittenText,
  request: Omit<TextRequest, 'format'> & ReadContent,
  context: TextTools,
): Promise<JSONDocument> {
  const { hash, title, page, file } = text
  if (hash === undefined) return emptyDocument()
  const { visitor } = context.actor
  const scope = scopeOf(text, request, context)
  const key = JSON.stringify([request.revision.id, request.view?.key, hash, title, page, file, !!visitor, scope])
  const size = { bytes: 0 }
  const { document, urls } = await parseOnce(documents, { key, length: () => size.bytes * growth }, async () => {
    const rawText = await storedText(text, context)
    size.bytes = rawText?.bytes.length ?? 0
    if (!rawText) return { document: emptyDocument(), urls: [] }
    return presentedDocument(rawText, { text, scope, content: request }, context)
  })
  return urls.length === 0 ? document : withVisitedPlaces(document, await visitedPlaces(urls, { ...context, visitor }))
}

async function presentedDocument(
  rawText: StoredText,
  { text, scope, content: source }: { text: WrittenText; scope: EvaluationScope | undefined; content: ReadContent },
  context: TextTools,
): Promise<ReadDocument> {
  const { page, file } = text
  const wholeTree = await documentOf(context.markdown, rawText, scope)
  // Comments are for those who write.
  const tree = context.actor.visitor ? withoutComments(wholeTree) : wholeTree
  const content = await revisionLookup(context, source.revision, source.view)
  const urls: string[] = []
  const ofMember = (target: WrittenTarget) => referenceOf(target, content)
  // A visitor learns no ids of what they do not see.
  const ofVisitor = (target: WrittenTarget & { kind: ReferenceKind }) => {
    const url = unresolvedApplicationUrl(target, content)
    if (url === undefined) return resolveTarget(target, content).ref ?? fallbackReference(brokenReference, target.kind)
    urls.push(url)
    return writtenReference(target.target, target.kind)
  }
  const referred = context.actor.visitor ? ofVisitor : ofMember
  const document = withReferences(
    tree,
    (target, kind) => referred({ target, kind, page, file }) ?? fallbackReference(target, kind),
  )
  if (context.actor.visitor) return { document: withoutBrokenLinks(document), urls }
  return { document, urls }
}

/** The Markdown of a text; undefined for an empty one. */
export async function storedText({ hash, title }: WrittenText, { db }: TextTools): Promise<StoredText | undefined> {
  const bytes = hash === undefined ? undefined : await documentBytes(db, hash)
  return hash === undefined || !bytes ? undefined : { hash, title, bytes }
}

/** The values that expressions can name; undefined when they are not evaluated. Authors are visitors without claims; what a visitor must not see is never sent to them. */
export function scopeOf(
  { variables }: WrittenText,
  { evaluated, revision, view }: Pick<TextRequest, 'evaluated'> & ReadContent,
  { actor: { visitor } }: Pick<TextTools, 'actor'>,
): EvaluationScope | undefined {
  const deterministic = { space: { vars: view?.variables ?? revision.variables }, page: { vars: variables } }
  if (visitor) return { ...deterministic, visitor: { claims: visitor.claims } }
  if (evaluated === 'false') return undefined
  return evaluated === 'true' ? { ...deterministic, visitor: { claims: {} } } : deterministic
}

/** Keeps a target that is not in the content: an include gets an id that nothing has, any other target is a URL. */
function fallbackReference(target: string, kind: ReferenceKind) {
  const url = decodeEntities(target)
  return kind === 'include'
    ? { kind: 'reusable-content' as const, reusableContent: url }
    : { kind: 'url' as const, url }
}
