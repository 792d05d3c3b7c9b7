import type { ContentLookup } from '../pages/content-lookup.ts'
import type { Outline } from '../documents/outline.ts'
import { resolveTarget, type ResolvedTarget } from '@recto/repository-content'
import type { FileIndex } from '../pages/revision-index.ts'
import type { PageRecord } from '../revisions/records.ts'
import { specOf } from '../pages/shown-pages.ts'
import type { ConditionalPart } from '@recto/markdown'
import { groupBy } from '../lists/group-by.ts'
import type { ContentReferenceRow, ReferenceLocation } from './content-reference.entity.ts'
import { relationOf, targetKey } from './target-key.rules.ts'

/** A page or reusable content that has references, with the path of its file, from which relative targets are resolved. */
export interface ReferenceSource {
  kind: ContentReferenceRow['sourceKind']
  id: string
  file: string
}

/** A target as it is written in a page or reusable content, with all its places there. */
export interface WrittenReference {
  target: string
  kind: string
  locations: ReferenceLocation[]
  visibleWhen: string[][] | null
}

/** The stored fields of a resolved target. */
export type StoredTarget = Pick<
  ContentReferenceRow,
  'status' | 'reference' | 'targetKind' | 'targetId' | 'targetAnchor' | 'targetKey'
>

/**
 * The references of a page: those of its text and its cover, the target of a link in the page tree, and the specification of computed
 * pages. Equal targets are one reference.
 */
export function referencesOf(page: PageRecord, outline?: Outline): WrittenReference[] {
  const covers = [page.cover?.ref, page.cover?.refDark].flatMap(cover => coverReference(cover))
  const link =
    page.type === 'link' && page.href !== undefined ? [{ target: page.href, kind: 'link', location: {} }] : []
  const spec = specOf(page)
  const computed = spec === undefined ? [] : [{ target: spec, kind: 'openapi', location: {} }]
  const outsideOfText = [...link, ...computed, ...covers]
  const always = new Set(outsideOfText.map(referenceKey))
  const inText = (reference: WrittenReference) => !always.has(referenceKey(reference))
  return groupByTarget([...outsideOfText, ...placesIn(outline)]).map(reference =>
    inText(reference) ? withConditions(reference, outline) : reference,
  )
}

/** The references of a text. Equal targets are one reference. */
export function referencesOfText(outline: Outline): WrittenReference[] {
  return groupByTarget(placesIn(outline)).map(reference => withConditions(reference, outline))
}

/** Adds the conditions around the places of a reference; a reference in no part of the text is seen by nobody. */
function withConditions(reference: WrittenReference, outline: Outline | undefined): WrittenReference {
  if (!outline?.parts) return reference
  const isHere = ({ references }: ConditionalPart) => references.some(({ target }) => target === reference.target)
  const places = outline.parts.filter(isHere).map(({ conditions }) => conditions)
  return { ...reference, visibleWhen: places.some(conditions => conditions.length === 0) ? null : distinct(places) }
}

function distinct(lists: string[][]): string[][] {
  return [...new Map(lists.map(list => [JSON.stringify(list), list])).values()]
}

interface ReferenceAtPlace {
  target: string
  kind: string
  location: ReferenceLocation
}

function placesIn(outline: Outline | undefined): ReferenceAtPlace[] {
  return (outline?.references ?? []).map(({ target, kind, line, anchor }) => ({
    target,
    kind,
    location: { line, ...(anchor !== undefined && { anchor }) },
  }))
}

function groupByTarget(all: ReferenceAtPlace[]): WrittenReference[] {
  const storable = all.filter(({ target }) => !target.includes('\0'))
  return [...groupBy(storable, referenceKey).values()].flatMap(([first, ...more]) =>
    first
      ? [
          {
            target: first.target,
            kind: first.kind,
            locations: [first, ...more].map(({ location }) => location),
            visibleWhen: null,
          },
        ]
      : [],
  )
}

/** The key under which references of one page are grouped as one. */
export function referenceKey({ target, kind }: { target: string; kind: string }): string {
  return `${relationOf(kind)} ${kind === 'cover'} ${target}`
}

function coverReference(cover: unknown): ReferenceAtPlace[] {
  const reference = cover as { kind?: string; file?: string; url?: string } | undefined
  if (reference?.file !== undefined) return [{ target: reference.file, kind: 'cover', location: {} }]
  return reference?.url === undefined ? [] : [{ target: reference.url, kind: 'image', location: {} }]
}

/** Resolves a reference; anchors count as broken until `checkAnchors` or an overlay checks them. */
export function resolveReference(
  { target, kind, source }: { target: string; kind: string; source: ReferenceSource },
  { content, files }: { content: ContentLookup; files: FileIndex },
): StoredTarget {
  const { id: page, file } = source
  const resolved: ResolvedTarget =
    kind === 'cover'
      ? { status: files.get(target) ? 'ok' : 'broken', ref: { kind: 'file', file: target } }
      : resolveTarget({ target, kind, page, file }, content)
  const stored = storedTarget(resolved, source)
  return { ...stored, targetKey: targetKey({ target, kind, file, root: content.root }, stored) }
}

function storedTarget({ status, ref }: ResolvedTarget, source: ReferenceSource): Omit<StoredTarget, 'targetKey'> {
  const none = { targetKind: null, targetId: null, targetAnchor: null }
  const stored = { status, reference: ref ?? null, ...none }
  if (ref?.kind === 'page') {
    // A target without a path names the source itself.
    const targetKind = ref.page === source.id ? source.kind : 'page'
    return { ...stored, targetKind, targetId: ref.page }
  }
  if (ref?.kind === 'file') return { ...stored, targetKind: 'file', targetId: ref.file }
  if (ref?.kind === 'reusable-content')
    return { ...stored, targetKind: 'reusable-content', targetId: ref.reusableContent }
  if (ref?.kind !== 'anchor') return stored
  const target = ref.page === undefined ? source : ({ kind: 'page', id: ref.page } as const)
  return { ...stored, status: 'broken', targetKind: target.kind, targetId: target.id, targetAnchor: ref.anchor }
}

/** Whether two resolutions lead to the same target; the status of a target with an anchor is not compared, since it is the anchor's. */
export function isSameTarget(a: StoredTarget, b: StoredTarget): boolean {
  const key = ({ status, targetKind, targetId, targetAnchor, targetKey, reference }: StoredTarget) =>
    JSON.stringify([targetAnchor === null && status, targetKind, targetId, targetAnchor, targetKey, urlOf(reference)])
  return key(a) === key(b)
}

function urlOf(reference: ContentReferenceRow['reference']): string | undefined {
  return reference?.kind === 'url' ? reference.url : reference?.kind
}
