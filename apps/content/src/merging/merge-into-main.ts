import type { OrganizationMergeRules } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { textOf, type JSONDocument } from '@recto/markdown'
import { Failure, fieldFaults } from '@recto/operation'
import type { z } from 'zod'
import { recordMerged } from '../change-requests/change-request-records.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { isOutdated, countsAfter, requireActive } from '../change-requests/change-requests.rules.ts'
import {
  lockWithSpace,
  type ReadableChangeRequest,
  readableChangeRequest,
} from '../change-requests/readable-change-request.ts'
import * as reviews from '../reviews/reviews.repository.ts'
import { advanceMain, writeChanges } from '../editing/write-revision.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { usersWith } from '../spaces/users-with.ts'
import type { Context } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { insertDocuments } from '../content-store/content.repository.ts'
import { mergeRevisions } from './merge-revisions.ts'
import { revisionsOf } from './merged-revisions.ts'
import { failedRules } from './rules/merge-rules.rules.ts'

type Rules = z.output<typeof OrganizationMergeRules>

interface Params {
  spaceId: string
  changeRequestId: string
}

/**
 * Merges a change request into main content, or changes nothing when there are conflicts. The locks of the space and of the change request
 * order merges, so main content cannot move meanwhile. Throws `conflict` when the change request is not active, or fails a merge rule.
 */
export async function mergeIntoMain(
  context: Context,
  params: Params,
): Promise<{ revision: string; result: 'merge' | 'conflicts' }> {
  const before = requireMayMerge(await readableChangeRequest(context, params))
  const inheritedRules = await organizationRules(context, before.space)
  const reviewers = await currentReviewers(context, before, rulesOf(before.space, inheritedRules))
  return context.transaction(async tx => {
    await lockContent(tx)
    await lockWithSpace(tx, params)
    const now = requireMayMerge(await readableChangeRequest({ ...context, db: tx }, params))
    await requireRules(tx, context, { ...now, reviewers, rules: rulesOf(now.space, inheritedRules) })
    const sides = await revisionsOf(tx, now)
    const merged = await mergeRevisions(tx, sides)
    if (merged.conflicts.length > 0) return { revision: now.space.revision, result: 'conflicts' as const }
    await insertDocuments(tx, merged.documents)
    const { changes, variables, configuration } = merged
    const { revision } = await writeChanges(tx, sides.main, {
      ...changes,
      variables,
      configuration,
      createdBy: context.actor.userId,
      type: 'merge',
      otherParent: sides.changeRequest.id,
      mergedFrom: now.changeRequest.id,
    })
    await advanceMain(tx, now.space, { from: sides.main.id, to: revision })
    await markMerged(tx, { ...now, from: sides.main.id, to: revision })
    return { revision, result: 'merge' as const }
  })
}

/**
 * Throws when the caller may not merge, or `conflict` when the change request is merged or archived. Conflicts of content and merge rules
 * are not checked here.
 */
function requireMayMerge(readable: ReadableChangeRequest): ReadableChangeRequest {
  requireWrite(readable, spaceCan.merge)
  requireActive(readable.changeRequest)
  return readable
}

async function markMerged(
  tx: Transaction,
  { space, changeRequest, from, to }: ReadableChangeRequest & { from: string; to: string },
): Promise<void> {
  await changeRequests.update(tx, changeRequest.id, { status: 'merged', revisionMerged: to })
  await spaces.updateCounts(tx, space.id, countsAfter(space, { from: changeRequest.status, to: 'merged' }))
  recordMerged(tx, { space, changeRequest, from, to })
}

/** The rules of the organization, for a space that inherits them; requested before anything is locked. */
async function organizationRules(
  { actor, people }: Context,
  { mergeRules, organizationId }: SpaceRow,
): Promise<Rules | undefined> {
  if (mergeRules.type !== 'inherit') return undefined
  const { organizations } = await people.describeOrganizations({ body: { actor, organizations: [organizationId] } })
  const [organization] = organizations
  if (!organization) throw new Failure('not_found', 'There is no such organization')
  return organization.mergeRules
}

/** The reviewers of a change request who may still review it; requested before anything is locked. */
async function currentReviewers(
  context: Context,
  { space, changeRequest }: ReadableChangeRequest,
  rules: Rules,
): Promise<Set<string>> {
  if (rules.type === 'none') return new Set()
  const latestReviews = await reviews.latestOf(context.db, changeRequest.id)
  return usersWith(spaceCan.review, { space, users: latestReviews.map(({ reviewer }) => reviewer) }, context)
}

function rulesOf({ mergeRules }: SpaceRow, inherited: Rules | undefined): Rules {
  if (mergeRules.type !== 'inherit') return mergeRules
  if (!inherited) throw new Failure('conflict', 'The merge rules of the space have just changed')
  return inherited
}

async function requireRules(
  tx: Transaction,
  { actor }: Context,
  attempt: ReadableChangeRequest & { rules: Rules; reviewers: ReadonlySet<string> },
): Promise<void> {
  const { space, role, changeRequest, rules, reviewers } = attempt
  if (rules.type === 'none') return
  const { number, status, subject, description, createdBy, comments, revision } = changeRequest
  const latestReviews = await reviews.latestOf(tx, changeRequest.id)
  const brokenRules = failedRules(rules, {
    changeRequest: {
      number,
      status,
      subject,
      createdBy,
      comments,
      outdated: isOutdated(changeRequest, space.revision),
      description: description ? textOf(description as JSONDocument) : '',
    },
    reviews: latestReviews
      .filter(({ reviewer }) => reviewers.has(reviewer))
      .map(review => ({ ...review, outdated: review.revision !== revision })),
    actor: { id: actor.userId, role },
  })
  if (brokenRules.length === 0) return
  throw fieldFaults(
    brokenRules.map(({ at, rule, message }) => ({ path: `mergeRules.rules.${at}`, message: `${rule}: ${message}` })),
    'conflict',
  )
}
