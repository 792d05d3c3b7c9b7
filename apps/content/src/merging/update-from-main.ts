import type { Transaction } from '@recto/database'
import { fieldFaults } from '@recto/operation'
import { recordContentChanged, recordUpdated } from '../change-requests/change-request-records.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import type { ReadableChangeRequest } from '../change-requests/readable-change-request.ts'
import { lockChangeRequest, writableChangeRequest } from '../editing/change-request-writer.ts'
import * as contributors from '../change-requests/contributors.repository.ts'
import { writeChanges } from '../editing/write-revision.ts'
import type { Context } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { insertDocuments } from '../content-store/content.repository.ts'
import { type Conflict, type MergedContent, nameOf, type Resolution } from './conflict.ts'
import { type MergedRevisions, mergeRevisions } from './merge-revisions.ts'
import { revisionsOf } from './merged-revisions.ts'
import type { Side } from './three-way.ts'

interface Params {
  spaceId: string
  changeRequestId: string
}

/** Brings the changes of main content into a change request, or changes nothing when there are conflicts. */
export async function updateFromMain(
  context: Context,
  params: Params,
): Promise<{ revision: string; result: 'update' | 'conflicts' }> {
  await writableChangeRequest(params, context)
  return context.transaction(async tx => {
    const { locked, sides } = await lockSides(tx, params, context)
    // Nothing has happened in main content.
    if (sides.main.id === sides.base.id) return { revision: sides.changeRequest.id, result: 'update' as const }
    const merged = await mergeRevisions(tx, sides)
    if (merged.conflicts.length > 0) return { revision: sides.changeRequest.id, result: 'conflicts' as const }
    return { revision: await writeUpdate(tx, context, { locked, sides, merged }), result: 'update' as const }
  })
}

/** Updates a change request with main content as resolutions say. Throws `conflict` when they leave a conflict, or name something without one. */
export async function resolveConflicts(
  context: Context,
  params: Params,
  { resolutions, others }: { resolutions: Resolution[]; others: Side | undefined },
): Promise<{ revision: string; result: 'update' }> {
  await writableChangeRequest(params, context)
  const { userId } = context.actor
  return context.transaction(async tx => {
    const { locked, sides } = await lockSides(tx, params, context)
    const merged = await mergeRevisions(tx, sides, { resolutions, others })
    requireSettled(merged, resolutions)
    const revision = await writeUpdate(tx, context, { locked, sides, merged })
    const { id: changeRequestId } = locked.changeRequest
    await contributors.countContribution(tx, { changeRequestId, userId, actionType: 'edit' })
    return { revision, result: 'update' as const }
  })
}

async function lockSides(
  tx: Transaction,
  params: Params,
  context: Context,
): Promise<{ locked: ReadableChangeRequest; sides: MergedRevisions }> {
  await lockContent(tx)
  const locked = await lockChangeRequest(tx, params, context)
  return { locked, sides: await revisionsOf(tx, locked) }
}

async function writeUpdate(
  tx: Transaction,
  { actor }: Context,
  { locked, sides, merged }: { locked: ReadableChangeRequest; sides: MergedRevisions; merged: MergedContent },
): Promise<string> {
  await insertDocuments(tx, merged.documents)
  const { changes, variables, configuration } = merged
  const { revision } = await writeChanges(tx, sides.main, {
    ...changes,
    variables,
    configuration,
    createdBy: actor.userId,
    type: 'update',
    follows: sides.changeRequest,
    otherParent: sides.main.id,
  })
  const { space, changeRequest } = locked
  await changeRequests.update(tx, changeRequest.id, { revision, revisionMergedAncestor: sides.main.id })
  const change = { space, changeRequest }
  if (revision !== sides.changeRequest.id)
    recordContentChanged(tx, { ...change, from: sides.changeRequest.id, to: revision })
  else if (sides.main.id !== sides.base.id) recordUpdated(tx, { ...change, fields: ['revisionMergedAncestor'] })
  return revision
}

function requireSettled({ conflicts, refused }: MergedContent, resolutions: Resolution[]): void {
  const faults = [
    ...refused.map(({ resolution, reason }) => {
      return { path: `body.resolutions.${resolutions.indexOf(resolution)}`, message: reason }
    }),
    ...conflicts.map(conflict => ({ path: 'body.resolutions', message: `leave ${shownName(conflict)} unsettled` })),
  ]
  if (faults.length > 0) throw fieldFaults(faults, 'conflict')
}

function shownName(conflict: Conflict): string {
  const subject = nameOf(conflict) ?? 'page'
  return `the conflict ${conflict.kind} of the ${subject} ${conflict[subject] ?? ''}`
}
