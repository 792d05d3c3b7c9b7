import {
  isTreeDifference,
  type MainChange,
  removedPages,
  removedReusable,
  rewrittenPages,
  rewrittenReusable,
} from '../projection/main-change.ts'
import { fileOf } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { filePath, reusableFile } from '../pages/repository-files.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import { type ResolvingContent, sourcesOf } from './reference-rows.ts'
import { isSameTarget, referenceKey, resolveReference, type StoredTarget } from './references.rules.ts'

/** A reference of a change request; `isIntroducedHere` when it is broken here, and in main content does not exist or is not broken. */
export type OverlaidRow = ContentReferenceRow & { isIntroducedHere: boolean }

/** How a change request's references differ from main content's. */
export interface Overlay {
  /** Pages and reusable contents whose stored references are not those of the change request. */
  hidden: string[]
  /** The references of rewritten pages and reusable contents, and references of others that lead elsewhere now. */
  rows: OverlaidRow[]
}

/** The stored references that a change can affect, by their sources and targets. */
export interface Affected {
  /** Whether all references are affected, since paths from the root of the content have another meaning. */
  affectsAll: boolean
  /** Sources that are deleted or rewritten. */
  hidden: string[]
  /** Sources that are not rewritten and have another file, from which their relative targets are resolved. */
  moved: string[]
  /** Targets that are deleted, may have another path, or may have other anchors. */
  targets: string[]
  /** The last names of paths that lead elsewhere than before; for a README also the name of its folder. */
  names: string[]
}

/** Collects the references that a change can affect; `oldRoot` is the folder of the content before it. */
export function collectAffected(change: MainChange, oldRoot: string): Affected {
  const rewritten = [...rewrittenPages(change), ...rewrittenReusable(change)].map(({ id }) => id)
  const hidden = new Set([...rewritten, ...removedPages(change), ...removedReusable(change)])
  const { moved, paths, ids } = collectChangedPlaces(change)
  return {
    affectsAll: (change.revision.configuration?.root ?? '') !== oldRoot,
    hidden: [...hidden],
    moved: moved.filter(id => !hidden.has(id)),
    targets: [...new Set([...hidden, ...ids])],
    names: [...new Set([...paths.flatMap(namesOf), ...ids])],
  }
}

interface ChangedPlaces {
  /** Sources that have another file. */
  moved: string[]
  /** Paths of pages and files that may lead elsewhere than before. */
  paths: string[]
  ids: string[]
}

function collectChangedPlaces(change: MainChange): ChangedPlaces {
  const places: ChangedPlaces = { moved: [], paths: [], ids: [] }
  const addPlace = (id: string, [before, after]: [string[] | undefined, string[] | undefined], isForced: boolean) => {
    if (!isForced && before?.join('\n') === after?.join('\n')) return
    places.ids.push(id)
    places.paths.push(...(before ?? []), ...(after ?? []))
    if (before && after && before[0] !== after[0]) places.moved.push(id)
  }
  if (change.isTreeChanged) {
    const { before, after } = change
    // A page moves with the page that it is below; the order decides between pages with the same path.
    const changed = new Set(change.pages.flatMap(one => (isTreeDifference(one) ? [one.id] : [])))
    const ids = new Set([...before.inOrder(), ...after.inOrder()].map(({ id }) => id))
    for (const id of ids) addPlace(id, [pagePlaces(id, before), pagePlaces(id, after)], changed.has(id))
  }
  for (const { id, before, after } of change.fileDifferences)
    addPlace(id, [before && [filePath(before)], after && [filePath(after)]], false)
  for (const { id, before, after } of change.reusableDifferences)
    addPlace(id, [before && [reusableFile(before)], after && [reusableFile(after)]], false)
  return places
}

/** The file and the path of a page. */
function pagePlaces(id: string, pages: PageIndex): string[] | undefined {
  const page = pages.get(id)
  return page && [fileOf(page, pages), pages.pathOf(id)]
}

function namesOf(path: string): string[] {
  const [last = '', folder = ''] = path.split('/').reverse()
  return last === 'README.md' ? [lastName(last), lastName(folder)] : [lastName(last)]
}

/** The last name of a path without the extension of Markdown, which targets may leave out. */
export function lastName(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.md$/, '')
}

/** The fields of a stored reference that say which source has it, and what it names. */
type ResolvableRow = Pick<ContentReferenceRow, 'sourceKind' | 'sourceId' | 'target' | 'kind'>

/** A stored reference, before and after it is resolved against other content. */
export interface ReresolvedReference<Row extends ResolvableRow = ContentReferenceRow> {
  before: Row
  after: Row & StoredTarget
}

/** Resolves the stored references of sources that are not rewritten against other content; anchors are not checked. */
export function reresolve<Row extends ResolvableRow>(
  stored: readonly Row[],
  { hidden, content }: { hidden: ReadonlySet<string>; content: ResolvingContent },
): ReresolvedReference<Row>[] {
  const sourceOf = sourcesOf(content)
  const { lookup, files } = content
  return stored.flatMap(before => {
    const source = hidden.has(before.sourceId) ? undefined : sourceOf(before)
    if (!source) return []
    const { target, kind } = before
    const resolved = resolveReference({ target, kind, source }, { content: lookup, files })
    return [{ before, after: { ...before, ...resolved } }]
  })
}

/** The input of an overlay. */
export interface OverlayParts {
  affected: Affected
  /** The references of rewritten sources; anchors are not checked. */
  rewritten: ContentReferenceRow[]
  /** The rows of `findAffected`. */
  stored: ContentReferenceRow[]
  /** The rows of `findAffected` that were resolved again. */
  resolved: ReresolvedReference[]
  hasAnchor: (id: string, anchor: string) => boolean
}

/** Lays the references of a change request over the stored ones. */
export function overlayOf({ affected, rewritten, stored, resolved, hasAnchor }: OverlayParts): Overlay {
  const hidden = new Set(affected.hidden)
  const keyOf = (row: ContentReferenceRow) => `${row.sourceId} ${referenceKey(row)}`
  const brokenBefore = new Set(stored.filter(row => hidden.has(row.sourceId)).map(keyOf))
  const checkAnchor = (row: ContentReferenceRow): ContentReferenceRow =>
    row.targetAnchor === null || row.targetId === null
      ? row
      : { ...row, status: hasAnchor(row.targetId, row.targetAnchor) ? 'ok' : 'broken' }
  const rows = rewritten.map(checkAnchor).map(row => {
    return { ...row, isIntroducedHere: row.status === 'broken' && !brokenBefore.has(keyOf(row)) }
  })
  const changed = resolved.flatMap(({ before, after: unchecked }) => {
    const after = checkAnchor(unchecked)
    if (before.status === after.status && isSameTarget(before, after)) return []
    return [{ ...after, isIntroducedHere: after.status === 'broken' && before.status !== 'broken' }]
  })
  return { hidden: affected.hidden, rows: [...rows, ...changed] }
}
