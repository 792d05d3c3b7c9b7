import { membershipIn, type Actor, type Membership, type Role } from '@recto/actor'
import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { Any, In, LessThan } from 'typeorm'
import { decideSiteRole, noGrants, type SiteGrants, type SiteWithLevel } from './site-access.policy.ts'
import { SiteGrantEntity, type SiteGrantRow, type Subject } from './site-grant.entity.ts'

/** The columns that an upsert updates, and the columns of the primary key. */
const updatedColumns = ['role', 'created_at']
const key = ['site_id', 'subject', 'subject_id']

type HeldGrant = Pick<SiteGrantRow, 'siteId' | 'subject' | 'subjectId' | 'role'>

/** The grants of a user and their teams on some sites. A row is read by its key, however many there are. */
async function grantsTo(
  db: Db,
  siteIds: readonly string[],
  { user, teams }: { user: string; teams: readonly string[] },
): Promise<HeldGrant[]> {
  return query<HeldGrant>(
    db,
    `select site_id as "siteId", subject, subject_id as "subjectId", role from site_grants
     where site_id = any($1) and (subject = 'user' and subject_id = $2 or subject = 'team' and subject_id = any($3))`,
    [siteIds, user, teams],
  )
}

/** The role of an actor on each of some sites, by id. Nothing is read for those whose grants decide nothing: admins and outsiders. */
export async function rolesOn(
  { db, actor }: { db: Db; actor: Actor },
  sites: readonly (SiteWithLevel & { id: string })[],
): Promise<Map<string, Role | null>> {
  const membershipOf = (site: SiteWithLevel): Membership | undefined => membershipIn(actor, site.organizationId)
  const open = sites.filter(site => (membershipOf(site)?.role ?? 'read') !== 'admin' && membershipOf(site))
  const teams = [...new Set(open.flatMap(site => membershipOf(site)?.teams ?? []))]
  const siteIds = open.map(({ id }) => id)
  const held = open.length === 0 ? [] : await grantsTo(db, siteIds, { user: actor.userId, teams })
  return new Map(
    sites.map(site => {
      const grants = asGrants(held.filter(({ siteId }) => siteId === site.id))
      return [site.id, decideSiteRole(actor, site, grants).role]
    }),
  )
}

/** All grants on a site. */
export async function allOn(db: Db, siteId: string): Promise<SiteGrants> {
  return asGrants(await db.findBy(SiteGrantEntity, { siteId }))
}

function asGrants(rows: readonly Pick<SiteGrantRow, 'subject' | 'subjectId' | 'role'>[]): SiteGrants {
  if (rows.length === 0) return noGrants
  const rolesOf = (kind: Subject['subject']) =>
    Object.fromEntries(rows.flatMap(({ subject, subjectId, role }) => (subject === kind ? [[subjectId, role]] : [])))
  return { users: rolesOf('user'), teams: rolesOf('team') }
}

/** Grants these users and teams exactly this role on a site, and replaces their grants. */
export async function setRole(db: Db, grant: Omit<SiteGrantRow, keyof Subject>, subjects: Subject[]): Promise<void> {
  const rows = subjects.map(({ subject, subjectId }) => ({ ...grant, subject, subjectId }))
  await db.createQueryBuilder().insert().into(SiteGrantEntity).values(rows).orUpdate(updatedColumns, key).execute()
}

/** Revokes the grants of these users and teams on a site. */
export async function revoke(db: Db, siteId: string, subjects: Subject[]): Promise<void> {
  const idsOf = (kind: Subject['subject']) =>
    subjects.flatMap(({ subject, subjectId }) => (subject === kind ? [subjectId] : []))
  await db.delete(
    SiteGrantEntity,
    (['user', 'team'] as const).map(subject => ({ siteId, subject, subjectId: Any(idsOf(subject)) })),
  )
}

/** An item of a list of grants; `id` is the id of the subject. */
export interface ListedGrant {
  id: string
  role: Role
}

const listColumns = columnsOf(SiteGrantEntity, 'site_grants', ['role', 'createdAt'])

/** The users, or teams, with grants on a site, the newest grant first. */
export async function list(
  db: Db,
  { siteId, subject }: Pick<SiteGrantRow, 'siteId' | 'subject'>,
  request: ListRequest,
): Promise<ListPage<ListedGrant>> {
  const source = {
    sql: `select subject_id as id, ${listColumns} from site_grants where site_id = $1 and subject = $2`,
    values: [siteId, subject],
    ...newestFirst,
  }
  return listPage<ListedGrant>(db, source, request)
}

/** Revokes all grants of a user or a team in an organization that are older than `before`. */
export async function revokeAll(
  db: Db,
  { before, ...holder }: Subject & Pick<SiteGrantRow, 'organizationId'> & { before: Date },
): Promise<void> {
  await db.delete(SiteGrantEntity, { ...holder, createdAt: LessThan(before) })
}

/** The grants of these users and teams on any of these sites. */
export async function heldBy(
  db: Db,
  siteIds: readonly string[],
  { users, teams }: { users: readonly string[]; teams: readonly string[] },
): Promise<HeldGrant[]> {
  if (siteIds.length === 0) return []
  return db.findBy(SiteGrantEntity, [
    { siteId: In([...siteIds]), subject: 'user', subjectId: Any(users) },
    { siteId: In([...siteIds]), subject: 'team', subjectId: Any(teams) },
  ])
}
