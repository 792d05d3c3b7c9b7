import { columnsOf, prepared, type Db } from '@recto/database'
import { RevisionEntity, type RevisionRow } from './revision.entity.ts'

const columns = columnsOf(RevisionEntity, 'revisions')

const byId = prepared<RevisionRow>('revision', `select ${columns} from revisions where id = $1`)

/** A revision by id. */
export async function find(db: Db, id: string): Promise<RevisionRow | undefined> {
  const [revision] = await byId(db, [id])
  return revision
}

/** Writes a new revision; the content it references must be stored in the same transaction or be held by `lockContent`. */
export async function insert(db: Db, revision: RevisionRow): Promise<void> {
  await db.insert(RevisionEntity, revision)
}
