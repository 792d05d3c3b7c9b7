import { listPage, newestFirst, prepared, query, type Db, type ListPage, type PageRequest } from '@recto/database'
import { SpaceEntity, type GitSync, type SpaceRow } from './space.entity.ts'

const columns = `id, organization_id as "organizationId", title, emoji, language, edit_mode as "editMode",
  default_level as "defaultLevel", revision, comments, change_requests as "changeRequests",
  change_requests_open as "changeRequestsOpen", change_requests_draft as "changeRequestsDraft", git_sync as "gitSync",
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

const byId = prepared<SpaceRow>('space', `select ${columns} from spaces where id = $1`)

export async function find(db: Db, id: string): Promise<SpaceRow | undefined> {
  const [space] = await byId(db, [id])
  return space
}

/** Reads a space and keeps others from moving its pointers until the transaction ends. */
export async function lock(db: Db, id: string): Promise<SpaceRow | undefined> {
  const [space] = await query<SpaceRow>(db, `select ${columns} from spaces where id = $1 for update`, [id])
  return space
}

export async function insert(db: Db, space: SpaceRow): Promise<void> {
  await db.insert(SpaceEntity, space)
}

/** Moves main content to a revision, if it is still at the one that the change was made from. */
export async function moveRevision(db: Db, id: string, move: { from: string; to: string; gitSync?: GitSync }): Promise<boolean> {
  const moved = await query(
    db,
    `update spaces set revision = $3, git_sync = coalesce($4, git_sync), updated_at = now() where id = $1 and revision = $2 returning id`,
    [id, move.from, move.to, move.gitSync ? JSON.stringify(move.gitSync) : null],
  )
  return moved.length === 1
}

/** Spaces of an organization; which of them a caller may see follows from `defaultLevel` here, as in the policy. */
export async function listOf(db: Db, filter: { organization: string; onlyOpen: boolean }, request: PageRequest & { secret: string }): Promise<ListPage<SpaceRow>> {
  const open = filter.onlyOpen ? `and default_level is not null` : ''
  const source = {
    name: 'spaces',
    sql: `select ${columns} from spaces where organization_id = $1 and deleted_at is null ${open}`,
    values: [filter.organization],
    ...newestFirst,
  }
  return listPage<SpaceRow>(db, source, request)
}
