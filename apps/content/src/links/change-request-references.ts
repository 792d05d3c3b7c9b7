import type { Db } from '@recto/database'
import { mainChange } from '../projection/main-change.ts'
import { projectedRevision } from '../projection/main-projections.repository.ts'
import { forEachRewritten } from '../projection/rewritten-texts.ts'
import { createParseCache, parseOnce } from '../documents/parse-once.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { findAffected, findAnchors } from './affected-references.repository.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import { type Affected, collectAffected, type Overlay, overlayOf, reresolve } from './overlay.rules.ts'

import { anchorsOf, type ResolvingContent, resolvingContent, rowsOf } from './reference-rows.ts'

/** The difference between the references of two revisions, without the stored references that it affects. */
interface Difference {
  affected: Affected
  rewritten: ContentReferenceRow[]
  /** The anchors of rewritten pages and reusable contents, by id. */
  anchors: Map<string, ReadonlySet<string>>
}

/** Size of the cache, in references. */
const cachedReferences = 100_000
/** Revisions never change, so the cache needs no invalidation. */
const differences = createParseCache<Difference>(cachedReferences)

type Tools = Pick<Context, 'db' | 'markdown' | 'publicUrl'>

/**
 * Reads the references of a change request's revision: the stored ones, which belong to some revision of main content, with an overlay
 * of the differences between the two revisions. The stored ones may lag behind main content.
 */
export async function readWithOverlay<Read>(
  tools: Tools,
  { revision, content }: { revision: RevisionRow; content: ResolvingContent },
  read: (db: Db, overlay: Overlay) => Promise<Read>,
): Promise<Read> {
  const { spaceId } = revision
  // Documents are parsed before the transaction, whose connection would wait for it.
  const projectedId = await projectedRevision(tools.db, spaceId)
  const prepared = await findDifference(tools, projectedId, revision)
  return tools.db.transaction('REPEATABLE READ', async manager => {
    const tx = manager as Db
    const now = await projectedRevision(tx, spaceId)
    const difference = now === projectedId ? prepared : await findDifference({ ...tools, db: tx }, now, revision)
    return read(tx, await loadOverlay(tx, difference, { spaceId, content }))
  })
}

/** Finds how a revision differs from the projected one, if any; pages that both have are not read. */
function findDifference(tools: Tools, projectedId: string | undefined, revision: RevisionRow): Promise<Difference> {
  const key = `${projectedId ?? ''} ${revision.id}`
  return parseOnce(
    differences,
    { key, length: ({ affected, rewritten }) => rewritten.length + affected.names.length + affected.targets.length },
    async () => {
      const { db } = tools
      const { spaceId } = revision
      const from = projectedId === undefined ? undefined : await revisions.find(db, projectedId)
      const change = await mainChange(db, from, revision)
      const content = resolvingContent(change, tools.publicUrl)
      const rewritten: ContentReferenceRow[] = []
      const anchors: Difference['anchors'] = new Map()
      await forEachRewritten(tools, change, async texts => {
        rewritten.push(...rowsOf(texts, { spaceId, content }))
        for (const row of anchorsOf(spaceId, texts)) anchors.set(row.sourceId, new Set(row.anchors))
      })
      return { affected: collectAffected(change, from?.configuration?.root ?? ''), rewritten, anchors }
    },
  )
}

async function loadOverlay(
  db: Db,
  { affected, rewritten, anchors }: Difference,
  { spaceId, content }: { spaceId: string; content: ResolvingContent },
): Promise<Overlay> {
  const storedRows = await findAffected(db, spaceId, affected)
  const resolved = reresolve(storedRows, { hidden: new Set(affected.hidden), content })
  const unread = [...rewritten, ...resolved.map(({ after }) => after)].flatMap(({ targetId, targetAnchor }) =>
    targetAnchor !== null && targetId !== null && !anchors.has(targetId) ? [targetId] : [],
  )
  const anchorRows = await findAnchors(db, spaceId, [...new Set(unread)])
  const allAnchors = new Map([...anchors, ...anchorRows.map(row => [row.sourceId, new Set(row.anchors)] as const)])
  const hasAnchor = (id: string, anchor: string) => allAnchors.get(id)?.has(anchor) === true
  return overlayOf({ affected, rewritten, stored: storedRows, resolved, hasAnchor })
}
