import type { Role } from '@recto/actor'
import type { ChangeRequest } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import type { JSONDocument } from '@recto/markdown'
import type { z } from 'zod'
import { spaceCan } from '../spaces/spaces.policy.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
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
  /** The revisions that merges made, by id. */
  merges: ReadonlyMap<string, Merge>
}

/** Who merged a change request, and when: the author of the revision of main content that the merge made. */
export type Merge = Pick<RevisionRow, 'createdBy' | 'createdAt'>

/** The merges of change requests, by the id of the revision that each made. */
export async function mergesOf(db: Db, rows: readonly ChangeRequestRow[]): Promise<Map<string, RevisionRow>> {
  const ids = rows.flatMap(({ revisionMerged }) => revisionMerged ?? [])
  if (ids.length === 0) return new Map()
  return new Map((await revisions.findAll(db, ids)).map(revision => [revision.id, revision]))
}

export function presentChangeRequest(
  row: ChangeRequestRow,
  { main, role, user, publicUrl, merges }: Presentation,
): z.input<typeof ChangeRequest> {
  const merge = merges.get(row.revisionMerged ?? '')
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
    ...(merge && {
      mergedAt: merge.createdAt.toISOString(),
      ...(merge.createdBy !== null && { mergedBy: user(merge.createdBy) }),
    }),
    links: row.links.map(({ id, url, title }) => ({
      id,
      ref: { kind: 'url' as const, url },
      ...(title !== undefined && { title }),
    })),
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
  mergedBy: _mergedBy,
  mergedAt: _mergedAt,
  links: _links,
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
  const merges = await mergesOf(context.db, rows)
  const mergers = Array.from(merges.values(), ({ createdBy }) => createdBy ?? [])
  const people = [...rows.map(({ createdBy }) => createdBy), ...mergers.flat()]
  const user = await describeUsers(context, organization, people)
  const { publicUrl } = context
  return rows.map(row => presentChangeRequest(row, { main: row.mainRevision, role: row.role, user, publicUrl, merges }))
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
