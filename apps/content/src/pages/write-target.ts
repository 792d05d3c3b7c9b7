import { posix } from 'node:path'
import { encodeEntities } from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import { filePath, pageFile, reusableFile } from './repository-files.ts'

/** The context in which the references of a page are written. */
export interface TargetContext {
  /** The path of the page's file, from which relative targets are seen. */
  file: string
  spaceId: string
  publicUrl: string
  page(id: string): PageRecord | undefined
  fileById(id: string): FileRecord | undefined
  reusable(id: string): ReusableRecord | undefined
}

/** Writes a reference for a page's Markdown: a relative path inside the content, outside of it a URL, which keeps ids. `resolveTarget`, with `namedTarget`, is the inverse. */
export function writeTarget(ref: DocumentRef, context: TargetContext, kind?: 'openapi'): string {
  const { publicUrl, spaceId } = context
  if (ref.kind === 'url') return encodeEntities(ref.url)
  // A name would be read as a path elsewhere.
  if (ref.kind === 'openapi')
    return kind === 'openapi' && /^[\w-]+$/.test(ref.spec)
      ? ref.spec
      : `${publicUrl}/~/openapi/${encodeURIComponent(ref.spec)}`
  if (ref.kind === 'page') return pageTarget(ref, context)
  if (ref.kind === 'anchor') {
    const anchor = `#${encodeURIComponent(ref.anchor)}`
    if (ref.page !== undefined) return `${pageTarget({ ...ref, page: ref.page }, context)}${anchor}`
    return isElsewhere(ref, spaceId) ? `${spaceUrl(ref.space ?? spaceId, context)}${anchor}` : anchor
  }
  if (ref.kind === 'space') return spaceUrl(ref.space, context)
  if (ref.kind === 'collection') return `${publicUrl}/c/${encodeURIComponent(ref.collection)}`
  if (ref.kind === 'user') return `${publicUrl}/u/${encodeURIComponent(ref.user)}`
  if (ref.kind === 'file') {
    const file = isElsewhere(ref, spaceId) ? undefined : context.fileById(ref.file)
    if (file) return relativePath(context.file, filePath(file))
    return `${spaceUrl(ref.space ?? spaceId, context)}/~/files/${encodeURIComponent(ref.file)}`
  }
  const { reusableContent } = ref
  const reusable = isElsewhere(ref, spaceId) ? undefined : context.reusable(reusableContent)
  if (reusable) return relativePath(context.file, reusableFile(reusable))
  return `${spaceUrl(ref.space ?? spaceId, context)}/~/reusable/${encodeURIComponent(reusableContent)}`
}

function spaceUrl(space: string, { publicUrl }: Pick<TargetContext, 'publicUrl'>): string {
  return `${publicUrl}/s/${encodeURIComponent(space)}`
}

function isElsewhere({ space }: { space?: string | undefined }, spaceId: string): boolean {
  return space !== undefined && space !== spaceId
}

/** A page of the space by its file; of another space, without file, or missing, by its URL, which keeps its id. */
function pageTarget({ page: id, space }: { page: string; space?: string | undefined }, context: TargetContext): string {
  const { spaceId, file } = context
  const page = isElsewhere({ space }, spaceId) ? undefined : context.page(id)
  const path = page && pageFile(page)
  if (path !== undefined) return relativePath(file, path)
  return `${spaceUrl(space ?? spaceId, context)}/~/pages/${encodeURIComponent(id)}`
}

/** A path as it is seen from a file, percent-encoded where Markdown or a URL would read it otherwise. */
export function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.replaceAll(/[\s%#?<>()"'\\]/g, character =>
    Array.from(Buffer.from(character), byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
