import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { Any, LessThan, Not } from 'typeorm'
import { GrantEntity, type GrantRow, type ResourceType, type Subject } from './grant.entity.ts'

/** The columns that an upsert updates, and the columns of the primary key. */
const updatedColumns = ['role', 'created_at']
const key = ['resource_type', 'resource_id', 'subject', 'subject_id']

/** Grants a role, unless the subject already has a higher grant on the resource. */
export async function grantAtLeast(db: Db, grant: GrantRow): Promise<void> {
  const keepsHigher = {
    where: 'array_position(:roles::text[], grants.role) <= array_position(:roles::text[], excluded.role)',
    parameters: { roles },
  }
  await db
    .createQueryBuilder()
    .insert()
    .into(GrantEntity)
    .values(grant)
    .orUpdate(updatedColumns, key, { overwriteCondition: keepsHigher })
    .execute()
}

/** A subject with its granted role. */
export type SubjectGrant = Pick<GrantRow, 'subject' | 'subjectId' | 'role'>
type ResourceKey = Pick<GrantRow, 'resourceType' | 'resourceId'>

function grantsTo({ resourceType, resourceId }: ResourceKey, subjects: Subject[]) {
  const idsOf = (kind: Subject['subject']) =>
    subjects.flatMap(({ subject, subjectId }) => (subject === kind ? [subjectId] : []))
  return (['user', 'team'] as const).map(subject => ({
    resourceType,
    resourceId,
    subject,
    subjectId: Any(idsOf(subject)),
  }))
}

/** Finds the grants of these users and teams on a resource. */
export async function findGrants(db: Db, resource: ResourceKey, subjects: Subject[]): Promise<SubjectGrant[]> {
  return db.findBy(GrantEntity, grantsTo(resource, subjects))
}

/** Grants these users and teams exactly this role on the resource, and replaces their grants. */
export async function setRole(db: Db, grant: Omit<GrantRow, keyof Subject>, subjects: Subject[]): Promise<void> {
  const rows = subjects.map(({ subject, subjectId }) => ({ ...grant, subject, subjectId }))
  await db.createQueryBuilder().insert().into(GrantEntity).values(rows).orUpdate(updatedColumns, key).execute()
}

/** Revokes the grants of these users and teams on a resource. */
export async function revoke(db: Db, resource: ResourceKey, subjects: Subject[]): Promise<void> {
  await db.delete(GrantEntity, grantsTo(resource, subjects))
}

/** An item of a list of grants; `id` is the id of the subject. */
export interface ListedGrant {
  id: string
  role: Role
}

const listColumns = columnsOf(GrantEntity, 'grants', ['role', 'createdAt'])

/** Lists the users, or teams, with grants on a resource, the newest grant first. */
export async function listGrants(
  db: Db,
  { resourceType, resourceId, subject }: ResourceKey & Pick<GrantRow, 'subject'>,
  request: ListRequest,
): Promise<ListPage<ListedGrant>> {
  const source = {
    sql: `select subject_id as id, ${listColumns} from grants where resource_type = $1 and resource_id = $2 and subject = $3`,
    values: [resourceType, resourceId, subject],
    ...newestFirst,
  }
  return listPage<ListedGrant>(db, source, request)
}

/** Revokes all grants of a user or a team in an organization that are older than `before`. */
export async function revokeAll(
  db: Db,
  { organizationId, subject, subjectId, before }: Subject & Pick<GrantRow, 'organizationId'> & { before: Date },
): Promise<void> {
  await db.delete(GrantEntity, { subject, subjectId, organizationId, createdAt: LessThan(before) })
}

/** Deletes all grants on resources that are purged. */
export async function deleteGrantsOn(db: Db, resourceType: ResourceType, ids: string[]): Promise<void> {
  await db.delete(GrantEntity, { resourceType, resourceId: Any(ids) })
}

/** The ids of spaces and collections. */
export interface ResourceIds {
  spaces: string[]
  collections: string[]
}

function onResources({ spaces, collections }: ResourceIds) {
  return [
    { resourceType: 'space' as const, resourceId: Any(spaces) },
    { resourceType: 'collection' as const, resourceId: Any(collections) },
  ]
}

/** Lists the users with a grant on any of these resources. */
export async function listUsersWithGrants(db: Db, { spaces, collections }: ResourceIds): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select distinct subject_id as id from grants
     where subject = 'user' and (resource_type = 'space' and resource_id = any($1) or resource_type = 'collection' and resource_id = any($2))`,
    [spaces, collections],
  )
  return rows.map(({ id }) => id)
}

/** Moves the grants of these users to another organization, with the resources, and deletes the grants of everybody else. */
export async function reassignGrants(
  db: Db,
  resources: ResourceIds,
  { organization, users }: { organization: string; users: string[] },
): Promise<void> {
  const others = [{ subject: 'team' as const }, { subject: 'user' as const, subjectId: Not(Any(users)) }]
  await db.delete(
    GrantEntity,
    onResources(resources).flatMap(on => others.map(subject => ({ ...on, ...subject }))),
  )
  await db.update(GrantEntity, onResources(resources), { organizationId: organization })
}

/** Lowers every grant on these resources that is above a role to that role. */
export async function capGrants(db: Db, resources: ResourceIds, role: Role): Promise<void> {
  const above = Any(roles.slice(roles.indexOf(role) + 1))
  await db.update(
    GrantEntity,
    onResources(resources).map(on => ({ ...on, role: above })),
    { role },
  )
}
