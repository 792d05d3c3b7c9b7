import { posix } from 'node:path'
import type { DocumentRef } from '@recto/markdown/schema'
import type { FileRecord, PageRecord, ReusableRecord } from '../store/revisions/records.ts'
import { filePath, pageFile, reusableFile } from './repository-files.ts'

/** What the references of a page are written with. */
export interface TargetContext {
  /** The path of the page's file, from which relative targets are seen. */
  file: string
  spaceId: string
  publicUrl: string
  page(id: string): PageRecord | undefined
  fileById(id: string): FileRecord | undefined
  reusable(id: string): ReusableRecord | undefined
}

/** The target of what is not in the content, as the dialect writes it. */
const brokenTarget = 'broken-reference'

/** How a reference is written in a page's Markdown: relative paths inside the content, URLs outside of it. `resolveTarget` is its inverse. */
export function writeTarget(ref: DocumentRef, context: TargetContext): string {
  const { publicUrl, spaceId } = context
  if (ref.kind === 'url') return ref.url
  if (ref.kind === 'openapi') return ref.spec
  if (ref.kind === 'page') return pageTarget(ref, context)
  if (ref.kind === 'anchor') {
    const anchor = `#${encodeURIComponent(ref.anchor)}`
    return ref.page === undefined ? anchor : `${pageTarget({ ...ref, page: ref.page }, context)}${anchor}`
  }
  if (ref.kind === 'space') return `${publicUrl}/s/${ref.space}`
  if (ref.kind === 'collection') return `${publicUrl}/c/${ref.collection}`
  if (ref.kind === 'user') return `${publicUrl}/u/${ref.user}`
  if (ref.kind === 'file') {
    const file = context.fileById(ref.file)
    return file ? relativePath(context.file, filePath(file)) : brokenTarget
  }
  const isElsewhere = ref.space !== undefined && ref.space !== spaceId
  const reusable = isElsewhere ? undefined : context.reusable(ref.reusableContent)
  return reusable ? relativePath(context.file, reusableFile(reusable)) : brokenTarget
}

/** A page of the space by its file; of another space, without file, or missing, by its URL, which keeps its id. */
function pageTarget({ page: id, space }: { page: string; space?: string | undefined }, context: TargetContext): string {
  const { publicUrl, spaceId, file } = context
  const isElsewhere = space !== undefined && space !== spaceId
  const page = isElsewhere ? undefined : context.page(id)
  const path = page && pageFile(page)
  if (path !== undefined) return relativePath(file, path)
  return `${publicUrl}/s/${space ?? spaceId}/~/pages/${id}`
}

/** A path as it is seen from a file, percent-encoded where Markdown or a URL would read it otherwise. */
function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.replaceAll(/[\s%#?<>()"'\\]/g, character =>
    Array.from(Buffer.from(character), byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
