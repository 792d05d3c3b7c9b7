import { pageInMemory, readCursor } from '@recto/database'
import type { MainContentChange } from '@recto/contracts-content'
import { fieldFault, type Failure } from '@recto/operation'
import type { z } from 'zod'
import { revisionReferences } from '../audience/revision-references.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { mainContent, pastRevision, type ResolvedRevision } from '../reading/resolve-revision.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { Context } from '../shared/context.ts'
import { changesSince } from './changes-since.ts'
import { presentChanges } from './present-changes.ts'
import { visitorChanges } from './visitor-changes.rules.ts'

/** A request for the changes of main content since a revision. */
export interface ChangesRequest {
  since: string
  until?: string | undefined
  page?: string | undefined
  limit: number
}

/** Opens the revision that changes lead to; throws `not_found` for one that was never main content, or that the caller may not read. */
export async function revisionUntil(
  { spaceId, until, page }: Omit<ChangesRequest, 'since' | 'limit'> & { spaceId: string },
  context: Context,
): Promise<ResolvedRevision> {
  const reading = { spaceId, metadata: 'false' as const }
  // All pages of a list lead to the revision that the first one led to, whatever main content is by now.
  const cursorUntil = page === undefined ? undefined : String(readCursor(page, context.cursorKey())[0])
  const revisionId = until ?? cursorUntil
  if (revisionId === undefined) return mainContent(reading, context)
  const target = await pastRevision({ ...reading, revisionId }, context)
  if (target.revision.mainNumber === null) throw neverMain('until')
  return target
}

/** Lists what changed in main content since one of its revisions, as the caller sees it; throws `not_found` for what was never main content. */
export async function listContentChanges(
  target: ResolvedRevision,
  { since, page, limit }: ChangesRequest,
  context: Context,
) {
  const from = await revisions.find(context.db, since)
  if (from?.spaceId !== target.revision.spaceId || from.mainNumber === null) throw neverMain('since')
  const changes = await presentedChanges(from, target, context)
  const { items, ...rest } = pageInMemory(
    changes.map((change, at) => ({ change, at })),
    ({ at }) => [target.revision.id, String(at).padStart(8, '0')],
    { page, limit, cursorKey: context.cursorKey() },
  )
  return { ...rest, items: items.map(({ change }) => change), until: target.revision.id }
}

function neverMain(name: 'since' | 'until'): Failure {
  return fieldFault(`query.${name}`, 'is no revision that main content of the space has been', 'not_found')
}

async function presentedChanges(
  from: RevisionRow,
  target: ResolvedRevision,
  context: Context,
): Promise<z.input<typeof MainContentChange>[]> {
  const { revision, view, presentation } = target
  const changes = await changesSince(from, target, context)
  if (!context.actor.visitor) return presentChanges(changes, { ...presentation, limit: Infinity }).changes
  return visitorChanges({
    changes,
    before: await visiblePages(context, from),
    after: await view.pages(),
    // References of all texts are read where a page can be affected by one of them.
    references: changes.some(({ type }) => type.startsWith('reusable_content_'))
      ? await revisionReferences(context, revision)
      : new Map(),
  })
}
