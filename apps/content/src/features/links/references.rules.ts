import type { ContentLookup } from '../../pages/content-lookup.ts'
import type { Outline } from '../../pages/outline.ts'
import { resolveTarget, type ResolvedTarget } from '../../pages/resolve-target.ts'
import type { FileIndex } from '../../pages/revision-index.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import { groupBy } from '../../shared/group-by.ts'
import type { ContentReferenceRow, ReferenceLocation } from './content-reference.entity.ts'

/** A target as a page has it, with all places where it does. */
export interface WrittenReference {
  target: string
  kind: string
  locations: ReferenceLocation[]
}

/** What a reference leads to, as it is stored. */
export type StoredTarget = Pick<
  ContentReferenceRow,
  'status' | 'reference' | 'targetKind' | 'targetId' | 'targetAnchor'
>

/** The kinds of references whose target is part of the page. */
const dependencies = new Set(['include', 'openapi', 'swagger'])

/** How a page relates to what it refers to. */
export function relationOf(kind: string): 'reference' | 'dependsOn' {
  return dependencies.has(kind) ? 'dependsOn' : 'reference'
}

/** The references of a page: those of its text, of its cover, and the target of a link in the page tree. Equal targets are one. */
export function referencesOf(page: PageRecord, outline?: Outline): WrittenReference[] {
  const inText = (outline?.references ?? []).map(({ target, kind, line, anchor }) => ({
    ...{ target, kind },
    location: { line, ...(anchor !== undefined && { anchor }) },
  }))
  const covers = [page.cover?.ref, page.cover?.refDark].flatMap(cover => coverReference(cover))
  const link =
    page.type === 'link' && page.href !== undefined ? [{ target: page.href, kind: 'link', location: {} }] : []
  const all = [...link, ...covers, ...inText].filter(({ target }) => !target.includes('\0'))
  const groups = groupBy(all, ({ target, kind }) => `${relationOf(kind)} ${kind === 'cover'} ${target}`)
  return [...groups.values()].flatMap(([first, ...more]) =>
    first
      ? [{ target: first.target, kind: first.kind, locations: [first, ...more].map(({ location }) => location) }]
      : [],
  )
}

function coverReference(cover: unknown): { target: string; kind: string; location: ReferenceLocation }[] {
  const reference = cover as { kind?: string; file?: string; url?: string } | undefined
  if (reference?.file !== undefined) return [{ target: reference.file, kind: 'cover', location: {} }]
  return reference?.url === undefined ? [] : [{ target: reference.url, kind: 'image', location: {} }]
}

/** What a reference of a page leads to; anchors are checked elsewhere, and count as broken until then. */
export function resolveReference(
  { target, kind, page, file }: { target: string; kind: string; page: string; file: string },
  { content, files }: { content: ContentLookup; files: FileIndex },
): StoredTarget {
  if (kind !== 'cover') return storedTarget(resolveTarget({ target, kind, page, file }, content), page)
  const isKnown = files.get(target) !== undefined
  return storedTarget({ status: isKnown ? 'ok' : 'broken', ref: { kind: 'file', file: target } }, page)
}

function storedTarget({ status, ref }: ResolvedTarget, ownPage: string): StoredTarget {
  const none = { targetKind: null, targetId: null, targetAnchor: null }
  const stored = { status, reference: ref ?? null, ...none }
  if (ref?.kind === 'page') return { ...stored, targetKind: 'page', targetId: ref.page }
  if (ref?.kind === 'file') return { ...stored, targetKind: 'file', targetId: ref.file }
  if (ref?.kind === 'reusable-content')
    return { ...stored, targetKind: 'reusable-content', targetId: ref.reusableContent }
  if (ref?.kind !== 'anchor') return stored
  return { ...stored, status: 'broken', targetKind: 'page', targetId: ref.page ?? ownPage, targetAnchor: ref.anchor }
}

/** Whether two resolutions lead to the same; the status of one with an anchor is that of the anchor. */
export function isSameTarget(a: StoredTarget, b: StoredTarget): boolean {
  const key = ({ status, targetKind, targetId, targetAnchor, reference }: StoredTarget) =>
    JSON.stringify([targetAnchor === null && status, targetKind, targetId, targetAnchor, urlOf(reference)])
  return key(a) === key(b)
}

function urlOf(reference: ContentReferenceRow['reference']): string | undefined {
  return reference?.kind === 'url' ? reference.url : reference?.kind
}
