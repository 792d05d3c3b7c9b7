import type { Db } from '@recto/database'
import type { MainChange } from '../../branches/projection/main-change.ts'
import type { Projector } from '../../branches/projection/project-main.ts'
import { type ContentLookup, contentLookup, fileOf } from '../../pages/content-lookup.ts'
import { forEachOutline, type Outline } from '../../pages/outline.ts'
import { groupBy } from '../../shared/group-by.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import { isSameTarget, referencesOf, resolveReference } from './references.rules.ts'
import * as repository from './references.repository.ts'

/**
 * Brings the references to main content: reads those of the pages that changed, and resolves those of the others again where
 * paths, files or the tree changed.
 */
export function projectLinks(publicUrl: string): Projector {
  return async (db, change) => {
    const { spaceId, pages, after, files, reusable, revision } = change
    const root = revision.git?.configuration.root ?? ''
    const content = contentLookup({ pages: after, files, reusable, root }, { spaceId, publicUrl })
    const removed = pages.flatMap(({ id, after }) => (after ? [] : [id]))
    const rewritten = pages.flatMap(({ before, after }) => (after && hasOtherReferences(before, after) ? [after] : []))
    const written = rewritten.map(({ id }) => id)
    await repository.deleteOf(db, spaceId, [...removed, ...written])
    await writePages(db, { rewritten, content, change })
    const isAllAffected = change.isTreeChanged || change.areFilesChanged
    if (isAllAffected) await resolveAgain(db, { except: new Set(written), content, change })
    await repository.checkAnchors(db, spaceId, isAllAffected ? undefined : written)
  }
}

/** Whether a page may refer to something else than before. */
function hasOtherReferences(before: PageRecord | undefined, after: PageRecord): boolean {
  const source = (page: PageRecord | undefined) =>
    page && JSON.stringify([page.type, page.document, page.href, page.cover?.ref, page.cover?.refDark])
  return source(before) !== source(after)
}

interface Writing {
  rewritten: PageRecord[]
  content: ContentLookup
  change: MainChange
}

async function writePages(db: Db, { rewritten, content, change }: Writing): Promise<void> {
  const write = async (pages: { page: PageRecord; outline?: Outline }[]) => {
    const rows = pages.flatMap(({ page, outline }) => rowsOf(page, { outline, content, change }))
    await repository.insertReferences(db, rows)
    const { spaceId } = change
    const anchors = pages.map(({ page, outline }) => ({ spaceId, pageId: page.id, anchors: outline?.anchors ?? [] }))
    await repository.insertAnchors(db, anchors)
  }
  const hasText = ({ type, document }: PageRecord) => type === 'document' && document !== undefined
  await write(rewritten.filter(page => !hasText(page)).map(page => ({ page })))
  const byDocument = groupBy(rewritten.filter(hasText), ({ document }) => document ?? '')
  await forEachOutline(db, byDocument.keys(), async outlines => {
    await write(
      [...outlines].flatMap(([hash, outline]) => (byDocument.get(hash) ?? []).map(page => ({ page, outline }))),
    )
  })
}

function rowsOf(
  page: PageRecord,
  { outline, content, change }: { outline: Outline | undefined; content: ContentLookup; change: MainChange },
): ContentReferenceRow[] {
  const { spaceId, after, files } = change
  const file = fileOf(page, after)
  return referencesOf(page, outline).map((written, position) => ({
    ...{ spaceId, pageId: page.id, position },
    ...written,
    ...resolveReference({ ...written, page: page.id, file }, { content, files }),
  }))
}

/** Resolves the references of unchanged pages, and writes those that lead elsewhere now. */
async function resolveAgain(
  db: Db,
  { except, content, change }: { except: Set<string>; content: ContentLookup; change: MainChange },
): Promise<void> {
  const { spaceId, after, files } = change
  for await (const rows of repository.allReferences(db, spaceId)) {
    const changed = rows.flatMap(row => {
      const page = except.has(row.pageId) ? undefined : after.get(row.pageId)
      if (!page) return []
      const { target, kind } = row
      const resolved = resolveReference({ target, kind, page: page.id, file: fileOf(page, after) }, { content, files })
      return isSameTarget(row, resolved) ? [] : [{ ...row, ...resolved }]
    })
    await repository.updateTargets(db, changed)
  }
}
