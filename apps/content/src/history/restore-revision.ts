import type { history } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { Failure, type Output } from '@recto/operation'
import { contentTag, requireRevision } from '../revisions/content-tag.ts'
import { advanceMain, writeRevision } from '../editing/write-revision.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { type ReadableSpace, requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { presentSummaries } from './present-summaries.ts'

interface Params {
  spaceId: string
  revisionId: string
}

/** Restores main content to a revision of its history, as a new revision of type `rollback`; equal content writes no revision. */
export async function restoreRevision(
  context: Context,
  params: Params,
): Promise<Output<typeof history.restoreRevision>> {
  requireWrite(await readableSpace(context, params.spaceId), spaceCan.merge)
  const { build } = context
  const expected = context.ifMatch()
  const restoration = await context.transaction(async tx => {
    await lockContent(tx)
    const { space, role, before, target } = await lockMain(tx, params, context)
    requireRevision(before.id, { expected, build })
    const { pagesRoot, filesRoot, reusableRoot, variables, configuration } = target
    const to = await writeRevision(tx, before, {
      maps: { pagesRoot, filesRoot, reusableRoot, nodes: new Map() },
      variables,
      configuration,
      type: 'rollback',
      git: null,
      createdBy: context.actor.userId,
    })
    await advanceMain(tx, space, { from: before.id, to })
    return { space: { ...space, revision: to }, role, row: await revisions.get(tx, to) }
  })
  context.setETag(contentTag(restoration.row.id, { build, now: new Date() }))
  const [summary] = await presentSummaries(context, restoration, [restoration.row])
  if (!summary) throw new Error('A revision was not presented')
  return summary
}

async function lockMain(
  tx: Transaction,
  { spaceId, revisionId }: Params,
  context: Context,
): Promise<ReadableSpace & { before: RevisionRow; target: RevisionRow }> {
  await spaces.lock(tx, spaceId)
  const readable = await readableSpace({ ...context, db: tx }, spaceId)
  requireWrite(readable, spaceCan.merge)
  const target = await revisions.find(tx, revisionId)
  // Revisions of change requests are refused: they become main content only by a merge, which has rules.
  if (target?.spaceId !== spaceId || target.mainNumber === null)
    throw new Failure('not_found', 'There is no such revision in the history of main content')
  return { ...readable, before: await revisions.get(tx, readable.space.revision), target }
}
