import {
  decodeEntities,
  type DocumentRef,
  type JSONDocument,
  type MarkdownTasks,
  withoutComments,
  withoutLinks,
  withReferences,
  writePage,
} from '@recto/markdown'
import { brokenReference } from '@recto/markdown/schema'
import { resolveTarget, type ContentRef } from '@recto/repository-content'
import { scopeOf, type SpaceContent } from './space-content.ts'

/** A text of a space, and whose it is. */
export interface SpaceText {
  /** The path of its file. */
  file: string
  title: string
  /** The page that anchors without a page refer to; empty for a reusable content. */
  page: string
  variables: Record<string, unknown>
}

/** Parses Markdown, in threads. */
export type ParseDocument = (source: Parameters<MarkdownTasks['document']>[0]) => Promise<JSONDocument>

/** A text as a document, as a visitor without claims reads it: references lead to what they see, others are text. */
export function readDocument(text: SpaceText, space: SpaceContent, parse: ParseDocument): Promise<JSONDocument> {
  return documentWith(ref => ref, text, { space, parse })
}

/** A text as the Markdown that visitors read: its links lead to the Markdown of pages below an address. */
export async function readMarkdown(
  text: SpaceText,
  space: SpaceContent,
  { parse, base }: { parse: ParseDocument; base: string },
): Promise<string> {
  const paths = new Map([...space.placeOf.values()].map(({ id, path }) => [id, path]))
  const urlOf = (ref: ContentRef): string => {
    if (ref.kind === 'url') return ref.url
    if (ref.kind === 'file') return `${base}~recto/files/${ref.file}`
    if (ref.kind !== 'page' && ref.kind !== 'anchor') return brokenReference
    const hash = ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : ''
    return ref.page === undefined ? hash : `${base}${encodeURI(paths.get(ref.page) ?? '')}.md${hash}`
  }
  const document = await documentWith(ref => ({ kind: 'url', url: urlOf(ref) }), text, { space, parse })
  return writePage({ title: text.title, document })
}

async function documentWith(
  refOf: (ref: ContentRef) => DocumentRef,
  { file, title, page, variables }: SpaceText,
  { space, parse }: { space: SpaceContent; parse: ParseDocument },
): Promise<JSONDocument> {
  const markdown = space.repository.texts.get(file) ?? ''
  const tree = await parse({ markdown, title, evaluation: { scope: scopeOf(space, variables) } })
  const document = withReferences(withoutComments(tree), (target, kind) => {
    const { ref } = resolveTarget({ target, kind, page, file }, space.content)
    if (ref) return refOf(ref)
    return kind === 'include'
      ? { kind: 'reusable-content', reusableContent: brokenReference }
      : { kind: 'url', url: kind === 'embed' ? decodeEntities(target) : brokenReference }
  })
  return withoutLinks(document, ref => ref?.kind === 'url' && ref.url === brokenReference)
}
