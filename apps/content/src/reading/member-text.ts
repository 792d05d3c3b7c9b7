import {
  type DocumentBlock,
  type JSONDocument,
  splitPage,
  withIncluded,
  withRawTargets,
  withReferences,
} from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import { documentOf, evaluateText } from '../documents/documents.ts'
import { orFallback } from '../documents/parse-once.ts'
import type { ContentLookup } from '../pages/content-lookup.ts'
import { referenceOf } from '../pages/named-target.rules.ts'
import type { PageText } from '../pages/present-page.ts'
import { writeTarget } from '../pages/write-target.ts'
import { includeBudget, type IncludeBudget, includedText, readDereferenced } from './dereferenced.ts'
import {
  type ReadContent,
  scopeOf,
  storedText,
  type TextRequest,
  type TextTools,
  type WrittenText,
} from './read-text.ts'
import { revisionLookup } from './revision-lookup.ts'

type Request = TextRequest & ReadContent

/** Reads a text in the requested format, for members. Their Markdown is that of the file, unless the request asks for other references. */
export async function readText(text: WrittenText, request: Request, context: TextTools): Promise<PageText> {
  if (request.format === 'document') return { document: await readDereferenced(text, request, context) }
  const rawText = await storedText(text, context)
  if (!rawText) return { markdown: '' }
  const scope = scopeOf(text, request, context)
  if (isWhole(request) || request['format.markdown.refs'] === 'stable')
    return { markdown: await rewrittenMarkdown(text, { request, raw: rawText.bytes.toString() }, context) }
  return { markdown: scope ? await evaluateText(context.markdown, rawText, scope) : rawText.bytes.toString() }
}

function isWhole({ dereferenced }: TextRequest): boolean {
  return dereferenced === 'true' || dereferenced === 'reusable-contents'
}

/** A page whose Markdown is written with other references. */
interface Rewriting {
  request: Request
  content: ContentLookup
  /** The file of the page, from which its links are seen. */
  file: string
  budget: IncludeBudget
}

/** The file of a page with its front matter, and below it the text with reusable contents in their place, or with references by id. */
async function rewrittenMarkdown(
  text: WrittenText,
  { request, raw }: { request: Request; raw: string },
  context: TextTools,
): Promise<string> {
  const content = await revisionLookup(context, request.revision, request.view)
  const rewriting = { request, content, file: text.file, budget: includeBudget() }
  const document = await rewrittenDocument(text, { ...rewriting, depth: 0 }, context)
  const { bodyOffset } = splitPage(raw)
  const body = await orFallback(context.markdown.run('writtenMarkdown', { document }), () => raw.slice(bodyOffset))
  return raw.slice(0, bodyOffset) + (bodyOffset > 0 ? '\n' : '') + body
}

async function rewrittenDocument(
  text: WrittenText,
  place: Rewriting & { depth: number },
  context: TextTools,
): Promise<JSONDocument> {
  const { request, depth, budget } = place
  const stored = await storedText(text, context)
  if (!stored) return { object: 'document', data: { schemaVersion: 1 }, nodes: [] }
  const { hash, bytes } = stored
  const read = await documentOf(context.markdown, { hash, bytes }, scopeOf(text, request, context))
  const targets = new Map<string, string>()
  const document = withReferences(read, (target, kind): DocumentRef => {
    const url = rewrittenTarget(target, { kind, text, ...place })
    const ref = kind === 'include' && isWhole(request) ? refOf(target, { kind, text, ...place }) : undefined
    if (ref?.kind !== 'reusable-content') return { kind: 'url', url }
    targets.set(ref.reusableContent, url)
    return ref
  })
  const rawTargets = withRawTargets(document, (target, kind) => rewrittenTarget(target, { kind, text, ...place }))
  return withIncluded(rawTargets, async (id): Promise<DocumentBlock[]> => {
    const included = await includedText(id, { depth, budget, view: request.view }, context)
    if (!included) return [includeOf(targets.get(id) ?? id)]
    return (await rewrittenDocument(included, { ...place, depth: depth + 1 }, context)).nodes
  })
}

interface Target extends Rewriting {
  kind: string
  text: WrittenText
}

function refOf(target: string, { kind, text: { page, file }, content }: Target): DocumentRef | undefined {
  return referenceOf({ target, kind, page, file }, content)
}

/** A target as the page writes it: by id, or seen from the file of the page; what leads nowhere stays as it is. */
function rewrittenTarget(target: string, place: Target): string {
  const { request, content, text, file } = place
  const ref = refOf(target, place)
  if (!ref || ref.kind === 'url' || ref.kind === 'openapi') return target
  const { publicUrl, spaceId } = content
  if (request['format.markdown.refs'] === 'stable') {
    const isOnPage = ref.kind === 'anchor' && ref.page === undefined
    return isOnPage ? target : writeTarget(inSpace(ref, spaceId), { ...noContent, publicUrl })
  }
  if (text.file === file) return target
  return writeTarget(ref, {
    file,
    spaceId,
    publicUrl,
    page: id => content.page(id),
    fileById: id => content.file(id),
    reusable: id => content.reusable(id),
  })
}

/** Where nothing is known, references are written with their ids. */
const noContent = {
  file: '',
  spaceId: '',
  page: () => undefined,
  fileById: () => undefined,
  reusable: () => undefined,
}

function inSpace(ref: DocumentRef, spaceId: string): DocumentRef {
  return ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'file' || ref.kind === 'reusable-content'
    ? { space: spaceId, ...ref }
    : ref
}

/** A block that includes what a target names. */
function includeOf(target: string): DocumentBlock {
  const ref = { kind: 'url', url: target }
  return { object: 'block', type: 'reusable-content', isVoid: true, data: { ref } } as DocumentBlock
}
