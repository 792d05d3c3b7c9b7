import { columnsOf, query, type Db } from '@recto/database'
import { Any, In } from 'typeorm'
import { CollectionEntity } from '../collections/collection.entity.ts'
import { GitOperationEntity } from '../../features/git/git-operation.entity.ts'
import { GrantEntity } from '../../access/grant.entity.ts'
import { SpaceEntity } from '../spaces/space.entity.ts'
import { emptyRoot } from '../../store/content-map/content-map.ts'

/** A space or collection that was deleted. */
export interface Deleted {
  id: string
  organizationId: string
  deletedAt: Date | null
}

const spaceColumns = columnsOf(SpaceEntity, 'spaces', ['id', 'organizationId', 'deletedAt'])
const collectionColumns = columnsOf(CollectionEntity, 'collections', ['id', 'organizationId', 'deletedAt'])

/** Spaces that were deleted before a time, kept until the transaction ends. Those that somebody has, a worker too, are left out. */
export async function lockSpaces(db: Db, { before, limit }: { before: Date; limit: number }): Promise<Deleted[]> {
  return query<Deleted>(
    db,
    `select ${spaceColumns} from spaces where deleted_at < $1
       and not exists (select from git_operations where space_id = spaces.id and state = 'running')
     order by deleted_at, id limit $2 for update skip locked`,
    [before, limit],
  )
}

/** The jobs of spaces that are handed out and have not ended. */
export async function openJobs(db: Db, spaces: string[]): Promise<string[]> {
  const open = { spaceId: Any(spaces), dispatched: true, state: In(['queued', 'running']) }
  const jobs = await db.find(GitOperationEntity, { select: { id: true }, where: open })
  return jobs.map(({ id }) => id)
}

/** Deletes spaces with all that is theirs alone, and notes the content of their revisions as garbage; git operations go with their space. */
export async function deleteSpaces(db: Db, ids: string[], since: Date): Promise<void> {
  await db.delete(SpaceEntity, { id: Any(ids) })
  await db.delete(GrantEntity, { object: 'space', objectId: Any(ids) })
  await query(
    db,
    `with gone as (delete from revisions where space_id = any($1) returning pages_root, files_root, reusable_root)
     insert into garbage (kind, hash, since)
     select distinct 'node', root, $2::timestamptz from gone, unnest(array[pages_root, files_root, reusable_root]) as root
     where root <> $3 order by root
     on conflict (kind, hash) do update set since = greatest(garbage.since, excluded.since)`,
    [ids, since, emptyRoot],
  )
}

/** Collections that were deleted before a time and have nothing in them any more, kept until the transaction ends. */
export async function lockEmptyCollections(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<Deleted[]> {
  return query<Deleted>(
    db,
    `select ${collectionColumns} from collections where deleted_at < $1
       and not exists (select from spaces where spaces.organization_id = collections.organization_id and spaces.parent = collections.id)
       and not exists (select from collections nested where nested.organization_id = collections.organization_id and nested.parent = collections.id)
     order by deleted_at, id limit $2 for update skip locked`,
    [before, limit],
  )
}

/** Deletes collections with what was granted on them. */
export async function deleteCollections(db: Db, ids: string[]): Promise<void> {
  await db.delete(CollectionEntity, { id: Any(ids) })
  await db.delete(GrantEntity, { object: 'collection', objectId: Any(ids) })
}
