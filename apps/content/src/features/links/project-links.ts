import type { Db } from '@recto/database'
import { type MainChange, removedPages, rewrittenPages } from '../../branches/projection/main-change.ts'
import type { Projector } from '../../branches/projection/project-main.ts'
import { type ContentLookup, contentLookup, fileOf } from '../../pages/content-lookup.ts'
import type { Outline } from '../../pages/outline.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import { isSameTarget, referencesOf, resolveReference } from './references.rules.ts'
import * as repository from './references.repository.ts'

/**
 * Brings the references to main content: reads those of the pages that changed, and resolves those of the others again where
 * paths, files or the tree changed.
 */
export function projectLinks(publicUrl: string): Projector {
  return (db, change) => {
    const { spaceId, after, files, reusable, revision } = change
    const root = revision.configuration?.root ?? ''
    const content = contentLookup({ pages: after, files, reusable, root }, { spaceId, publicUrl })
    const rewritten = rewrittenPages(change).map(({ id }) => id)
    return {
      begin: () => repository.deleteOf(db, spaceId, [...removedPages(change), ...rewritten]),
      async write(pages) {
        const rows = pages.flatMap(({ page, outline }) => rowsOf(page, { outline, content, change }))
        await repository.saveReferences(db, rows)
        const anchors = pages.map(({ page, outline }) => ({
          spaceId,
          pageId: page.id,
          anchors: outline?.anchors ?? [],
        }))
        await repository.insertAnchors(db, anchors)
      },
      async finish() {
        const isAllAffected = change.isTreeChanged || change.areFilesChanged
        if (isAllAffected) await resolveAgain(db, { except: new Set(rewritten), content, change })
        await repository.checkAnchors(db, spaceId, isAllAffected ? undefined : rewritten)
      },
    }
  }
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
    await repository.saveReferences(db, changed)
  }
}
