import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { Any, LessThan } from 'typeorm'
import { GrantEntity, type GrantRow } from './grant.entity.ts'

/** What is written when there is a grant already, and what makes it the same one. */
const renewed = ['role', 'created_at']
const key = ['object', 'object_id', 'subject', 'subject_id']

/** Gives a grant, in the place of one that is not higher. */
export async function give(db: Db, grant: GrantRow): Promise<void> {
  const notHigher = {
    where: 'array_position(:roles::text[], grants.role) <= array_position(:roles::text[], excluded.role)',
    parameters: { roles },
  }
  await db
    .createQueryBuilder()
    .insert()
    .into(GrantEntity)
    .values(grant)
    .orUpdate(renewed, key, { overwriteCondition: notHigher })
    .execute()
}

/** What is granted on one object, and to whom. */
export type Held = Pick<GrantRow, 'subject' | 'subjectId' | 'role'>
type On = Pick<GrantRow, 'object' | 'objectId'>
type Subject = Pick<GrantRow, 'subject' | 'subjectId'>

/** Grants on an object to these users and teams. */
function grantsTo({ object, objectId }: On, subjects: Subject[]) {
  const idsOf = (kind: Subject['subject']) =>
    subjects.flatMap(({ subject, subjectId }) => (subject === kind ? [subjectId] : []))
  return (['user', 'team'] as const).map(subject => ({ object, objectId, subject, subjectId: Any(idsOf(subject)) }))
}

/** What these users and teams were granted on an object. */
export async function heldOn(db: Db, on: On, subjects: Subject[]): Promise<Held[]> {
  return db.findBy(GrantEntity, grantsTo(on, subjects))
}

/** Gives these users and teams exactly this role, whatever they held. */
export async function set(db: Db, grant: Omit<GrantRow, keyof Subject>, subjects: Subject[]): Promise<void> {
  const rows = subjects.map(({ subject, subjectId }) => ({ ...grant, subject, subjectId }))
  await db.createQueryBuilder().insert().into(GrantEntity).values(rows).orUpdate(renewed, key).execute()
}

/** Takes what these users and teams were granted on an object. */
export async function take(db: Db, on: On, subjects: Subject[]): Promise<void> {
  await db.delete(GrantEntity, grantsTo(on, subjects))
}

/** A grant as a list shows it. */
export interface ListedGrant {
  id: string
  role: Role
}

const listed = columnsOf(GrantEntity, 'grants', ['role', 'createdAt'])

/** Who was granted something on an object, the newest first. */
export async function listOn(
  db: Db,
  { object, objectId, subject }: On & Pick<GrantRow, 'subject'>,
  request: ListRequest,
): Promise<ListPage<ListedGrant>> {
  const source = {
    sql: `select subject_id as id, ${listed} from grants where object = $1 and object_id = $2 and subject = $3`,
    values: [object, objectId, subject],
    ...newestFirst,
  }
  return listPage<ListedGrant>(db, source, request)
}

/** Takes what a user or a team was granted in an organization before a moment. */
export async function takeAll(
  db: Db,
  { organizationId, subject, subjectId, before }: Subject & Pick<GrantRow, 'organizationId'> & { before: Date },
): Promise<void> {
  await db.delete(GrantEntity, { subject, subjectId, organizationId, createdAt: LessThan(before) })
}
