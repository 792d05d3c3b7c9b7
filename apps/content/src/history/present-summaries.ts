import type { Role } from '@recto/actor'
import type { history } from '@recto/contracts-content'
import type { Output } from '@recto/operation'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { mergesOf, presentChangeRequest } from '../change-requests/present-change-request.ts'
import { presentCommit } from '../reading/present-revision.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { Context } from '../shared/context.ts'
import { describeUsers } from '../users/users.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

type Summary = Output<typeof history.restoreRevision>

/** Presents revisions of the history of main content; their users and change requests are loaded in one call and one query. */
export async function presentSummaries(
  context: Context,
  { space, role }: { space: Pick<SpaceRow, 'id' | 'organizationId' | 'revision'>; role: Role },
  rows: RevisionRow[],
): Promise<Summary[]> {
  const { publicUrl } = context
  const mergedChangeRequests = await changeRequests.findByIds(
    context.db,
    rows.flatMap(({ mergedFrom }) => mergedFrom ?? []),
  )
  const merges = await mergesOf(context.db, mergedChangeRequests)
  const ids = [...rows, ...mergedChangeRequests, ...merges.values()].flatMap(({ createdBy }) => createdBy ?? [])
  const user = await describeUsers(context, space.organizationId, ids)
  const presentation = { main: space.revision, role, user, publicUrl, merges }
  const byId = new Map(mergedChangeRequests.map(row => [row.id, presentChangeRequest(row, presentation)]))
  return rows.map(row => {
    const mergedFrom = byId.get(row.mergedFrom ?? '')
    return {
      object: 'revision' as const,
      id: row.id,
      number: row.mainNumber ?? 0,
      type: row.type,
      parents: row.parents,
      ...(row.createdBy !== null && { createdBy: user(row.createdBy) }),
      createdAt: row.createdAt.toISOString(),
      ...(row.git && { git: presentCommit(row.git) }),
      ...(mergedFrom && { mergedFrom }),
      urls: {
        location: `${publicUrl}/v1/spaces/${space.id}/revisions/${row.id}`,
        app: `${publicUrl}/s/${space.id}/~/revisions/${row.id}`,
      },
    }
  })
}
