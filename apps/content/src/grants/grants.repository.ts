import { type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { roles, type Role } from '@recto/operation'
import type { GrantRow } from './grant.entity.ts'

/** Gives a grant, in the place of one that is not higher. */
export async function give(db: Db, grant: GrantRow): Promise<void> {
  await query(
    db,
    `insert into grants (object, object_id, organization_id, subject, subject_id, role, created_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (object, object_id, subject, subject_id) do update set role = excluded.role, created_at = excluded.created_at
       where array_position($8::text[], grants.role) <= array_position($8::text[], excluded.role)`,
    [grant.object, grant.objectId, grant.organizationId, grant.subject, grant.subjectId, grant.role, grant.createdAt, roles],
  )
}

/** What is granted on one object, and to whom. */
export type Held = Pick<GrantRow, 'subject' | 'subjectId' | 'role'>
type On = Pick<GrantRow, 'object' | 'objectId'>
type Subject = Pick<GrantRow, 'subject' | 'subjectId'>

/** What these users and teams were granted on an object. */
export async function heldOn(db: Db, { object, objectId }: On, subjects: Subject[]): Promise<Held[]> {
  return query<Held>(
    db,
    `select g.subject, g.subject_id as "subjectId", g.role from grants g
     join jsonb_to_recordset($3::jsonb) as given ("subject" text, "subjectId" text) on given.subject = g.subject and given."subjectId" = g.subject_id
     where g.object = $1 and g.object_id = $2`,
    [object, objectId, JSON.stringify(subjects)],
  )
}

/** Gives these users and teams exactly this role, whatever they held. */
export async function set(db: Db, grant: Omit<GrantRow, keyof Subject>, subjects: Subject[]): Promise<void> {
  await query(
    db,
    `insert into grants (object, object_id, organization_id, subject, subject_id, role, created_at)
     select $1, $2, $3, given.subject, given."subjectId", $4, $5 from jsonb_to_recordset($6::jsonb) as given ("subject" text, "subjectId" text)
     on conflict (object, object_id, subject, subject_id) do update set role = excluded.role, created_at = excluded.created_at`,
    [grant.object, grant.objectId, grant.organizationId, grant.role, grant.createdAt, JSON.stringify(subjects)],
  )
}

/** Takes what these users and teams were granted on an object. */
export async function take(db: Db, { object, objectId }: On, subjects: Subject[]): Promise<void> {
  await query(
    db,
    `delete from grants g using jsonb_to_recordset($3::jsonb) as given ("subject" text, "subjectId" text)
     where g.object = $1 and g.object_id = $2 and given.subject = g.subject and given."subjectId" = g.subject_id`,
    [object, objectId, JSON.stringify(subjects)],
  )
}

/** A grant as a list shows it. */
export interface ListedGrant {
  id: string
  role: Role
}

/** Who was granted something on an object, the newest first. */
export async function listOn(db: Db, { object, objectId, subject }: On & Pick<GrantRow, 'subject'>, request: ListRequest): Promise<ListPage<ListedGrant>> {
  const source = {
    sql: `select subject_id as id, role, created_at as "createdAt" from grants where object = $1 and object_id = $2 and subject = $3`,
    values: [object, objectId, subject],
    ...newestFirst,
  }
  return listPage<ListedGrant>(db, source, request)
}

/** Takes what a user or a team was granted in an organization before a moment. */
export async function takeAll(db: Db, held: Pick<GrantRow, 'organizationId' | 'subject' | 'subjectId'> & { before: Date }): Promise<void> {
  await query(
    db,
    `delete from grants where subject = $1 and subject_id = $2 and organization_id = $3 and created_at < $4`,
    [held.subject, held.subjectId, held.organizationId, held.before],
  )
}
