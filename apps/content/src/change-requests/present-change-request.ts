import type { Role } from '@recto/actor'
import type { ChangeRequest } from '@recto/contracts-shared'
import type { JSONDocument } from '@recto/markdown'
import type { z } from 'zod'
import { spaceCan } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import { describeUsers, type ShowUser } from '../users/users.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'
import { isOutdated } from './change-requests.rules.ts'

/** The parts of a presented change request beside its row. */
interface Presentation {
  /** The main revision of the space. */
  main: string
  /** The role of the caller on the space. */
  role: Role
  user: ShowUser
  publicUrl: string
}

export function presentChangeRequest(
  row: ChangeRequestRow,
  { main, role, user, publicUrl }: Presentation,
): z.input<typeof ChangeRequest> {
  return {
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    ...(row.description && { description: row.description as JSONDocument }),
    createdBy: user(row.createdBy),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    space: row.spaceId,
    revision: row.revision,
    revisionInitial: row.revisionInitial,
    ...(row.revisionMergedAncestor !== null && { revisionMergedAncestor: row.revisionMergedAncestor }),
    ...(row.revisionMerged !== null && { revisionMerged: row.revisionMerged }),
    comments: spaceCan.comment(role) ? row.comments : 0,
    outdated: isOutdated(row, main),
    urls: {
      location: `${publicUrl}/v1/spaces/${row.spaceId}/change-requests/${row.id}`,
      app: `${publicUrl}/s/${row.spaceId}/~/changes/${row.number}`,
    },
  }
}

/** The id of a hidden user, since the published schema requires an id. */
const nobody = 'unknown'

/** Hides the author of a change request, and all revision ids but its current one, from a visitor who previews it. */
export function withoutHistory({
  revisionMergedAncestor: _ancestor,
  revisionMerged: _merged,
  ...changeRequest
}: z.input<typeof ChangeRequest>): z.input<typeof ChangeRequest> {
  const { createdBy } = changeRequest
  const location = createdBy.urls.location.replace(createdBy.id, nobody)
  return {
    ...changeRequest,
    createdBy: { ...createdBy, id: nobody, urls: { ...createdBy.urls, location } },
    revisionInitial: changeRequest.revision,
  }
}

/** Presents change requests of one organization; their users are loaded in one call. */
export async function presentChangeRequests(
  context: Context,
  organization: string,
  rows: (ChangeRequestRow & { mainRevision: string; role: Role })[],
): Promise<z.input<typeof ChangeRequest>[]> {
  const user = await describeUsers(
    context,
    organization,
    rows.map(({ createdBy }) => createdBy),
  )
  const { publicUrl } = context
  return rows.map(row => presentChangeRequest(row, { main: row.mainRevision, role: row.role, user, publicUrl }))
}

/** Presents one change request with its user. */
export async function presentOne(
  context: Context,
  {
    space,
    role,
    changeRequest,
  }: { space: { organizationId: string; revision: string }; role: Role; changeRequest: ChangeRequestRow },
): Promise<z.input<typeof ChangeRequest>> {
  const row = { ...changeRequest, mainRevision: space.revision, role }
  const [presentedChangeRequest] = await presentChangeRequests(context, space.organizationId, [row])
  if (!presentedChangeRequest) throw new Error('A change request was not presented')
  return presentedChangeRequest
}
