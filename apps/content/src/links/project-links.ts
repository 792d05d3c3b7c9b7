import type { Db } from '@recto/database'
import { removedPages, removedReusable, rewrittenPages, rewrittenReusable } from '../projection/main-change.ts'
import type { Projector } from '../projection/project-main.ts'
import { anchorsOf, type ResolvingContent, resolvingContent, rowsOf, sourcesOf } from './reference-rows.ts'
import { isSameTarget, resolveReference } from './references.rules.ts'
import * as repository from './references.repository.ts'

/**
 * Projects the references of main content: reads the references of pages and reusable contents that changed, and resolves those of the
 * others again where paths, files or the tree changed.
 */
export function projectLinks(publicUrl: string): Projector {
  return (db, change) => {
    const { spaceId } = change
    const content = resolvingContent(change, publicUrl)
    const rewritten = [...rewrittenPages(change), ...rewrittenReusable(change)].map(({ id }) => id)
    const removed = [...removedPages(change), ...removedReusable(change)]
    return {
      async begin() {
        if (change.isFirst) await repository.deleteSpace(db, spaceId)
        else await repository.deleteOf(db, spaceId, [...removed, ...rewritten])
      },
      async write(texts) {
        await repository.saveReferences(db, rowsOf(texts, { spaceId, content }))
        await repository.insertAnchors(db, anchorsOf(spaceId, texts))
      },
      async finish() {
        const isAllAffected = change.isTreeChanged || change.areFilesChanged
        if (isAllAffected) await reresolveStored(db, { spaceId, except: new Set(rewritten), content })
        await repository.checkAnchors(db, spaceId, isAllAffected ? undefined : rewritten)
      },
    }
  }
}

/** Resolves the references of unchanged pages and reusable contents, and writes those that lead elsewhere now. */
async function reresolveStored(
  db: Db,
  { spaceId, except, content }: { spaceId: string; except: Set<string>; content: ResolvingContent },
): Promise<void> {
  const sourceOf = sourcesOf(content)
  const { lookup, files } = content
  for await (const rows of repository.allReferences(db, spaceId)) {
    const changed = rows.flatMap(row => {
      const source = except.has(row.sourceId) ? undefined : sourceOf(row)
      if (!source) return []
      const { target, kind } = row
      const resolved = resolveReference({ target, kind, source }, { content: lookup, files })
      return isSameTarget(row, resolved) ? [] : [{ ...row, ...resolved }]
    })
    await repository.saveReferences(db, changed)
  }
}
