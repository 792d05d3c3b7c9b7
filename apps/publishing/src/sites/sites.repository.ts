import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  mapConstraintErrors,
  newestFirst,
  prepared,
  query,
} from '@recto/database'
import type { LimitedTo, Role } from '@recto/actor'
import { In, LessThan } from 'typeorm'
import type { Customization } from '../customization/customization.rules.ts'
import { faviconOf } from '../customization/customizations.repository.ts'
import { pendingHostnameOf } from '../hostnames/hostnames.sql.ts'
import { seesSite } from '../site-access/site-access.sql.ts'
import { showsSpace, siteSpacesAsP } from '../structure/structure.repository.ts'
import { DeletedSiteEntity } from './deleted-site.entity.ts'
import { SiteEntity, type SiteRow } from './site.entity.ts'
import type { ChosenAddresses } from './taken-addresses.rules.ts'

/** A site with its icon, and the hostname that it waits for. */
export type SiteView = SiteRow & {
  favicon?: Customization['favicon'] | null
  /** A hostname that is not proven yet. */
  pendingHostname?: string | null
}

/** Whether the viewer, whose user id, teams, role and limits are the parameters from the second on, sees a site. */
export const seenByViewer = seesSite({
  site: 'sites.id',
  defaultLevel: 'sites.default_level',
  user: '$2',
  teams: '$3',
  role: '$4',
  limits: '$5',
})

const columns = `${columnsOf(SiteEntity, 'sites')},
  ${faviconOf('sites.id')} as favicon, ${pendingHostnameOf('sites.id')} as "pendingHostname"`

const byId = prepared<SiteView>('site', `select ${columns} from sites where id = $1`)

const atHost = prepared<{ id: string }>(
  'sites-at-host',
  `select id from sites where hostname = $1 union select id from sites where basename = $2
   union select id from sites where split_part(lower(proxy), '/', 1) = $1`,
)

/** Failures of sites whose address is another's. */
const taken = {
  sites_basename: { code: 'conflict' as const, message: 'body.basename: is taken' },
  sites_hostname: { code: 'conflict' as const, message: 'body.hostname: is taken' },
  sites_proxy: { code: 'conflict' as const, message: 'body.proxy: is taken' },
}

/** A site by id. */
export async function find(db: Db, id: string): Promise<SiteView | undefined> {
  const [site] = await byId(db, [id])
  return site
}

/** The sites with these ids. */
export async function findAll(db: Db, ids: readonly string[]): Promise<SiteRow[]> {
  return ids.length === 0 ? [] : db.findBy(SiteEntity, { id: In([...ids]) })
}

/** The site of the installation with this basename. */
export async function findByBasename(db: Db, basename: string): Promise<SiteRow | undefined> {
  return (await db.findOneBy(SiteEntity, { basename })) ?? undefined
}

/** Whether a published site has this hostname or basename. */
export async function isPublishedAt(
  db: Db,
  { host, basename }: { host: string; basename: string | undefined },
): Promise<boolean> {
  return db.existsBy(SiteEntity, {
    published: true,
    ...(basename === undefined ? { hostname: host } : { basename }),
  })
}

/** Reads a site and locks it, with everything it shows, until the transaction ends. */
export async function lock(db: Db, id: string): Promise<SiteView | undefined> {
  const site = await db.findOne(SiteEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return site ? find(db, id) : undefined
}

/** Those of these ids that are ids of sites. */
export async function existing(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.find(SiteEntity, { select: { id: true }, where: { id: In([...ids]) } })
  return new Set(rows.map(({ id }) => id))
}

/** Writes a new site. */
export async function insert(db: Db, site: SiteRow): Promise<void> {
  await db.insert(SiteEntity, site)
}

/** Serializes the choice of basenames until the transaction ends: two that choose at once would choose the same. */
export async function lockBasenames(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('basenames', 0))`)
}

/** The basenames that begin with a text, in the whole installation. */
export async function basenamesLike(db: Db, start: string): Promise<string[]> {
  const rows = await query<{ basename: string }>(db, 'select basename from sites where starts_with(basename, $1)', [
    start,
  ])
  return rows.map(({ basename }) => basename)
}

/** Serializes the choice of hostnames and proxies until the transaction ends: two that choose at once would choose the same host. */
export async function lockAddresses(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('addresses of sites', 0))`)
}

/** The hostnames and proxies of sites of other organizations at these hosts. */
export async function addressesAt(
  db: Db,
  { hosts, organization }: { hosts: readonly string[]; organization: string },
): Promise<ChosenAddresses[]> {
  return query<ChosenAddresses>(
    db,
    `select hostname, proxy from sites where organization_id <> $1
       and (hostname = any($2) or split_part(lower(proxy), '/', 1) = any($2))`,
    [organization, hosts],
  )
}

/** Changes a site; throws `conflict` when another site has its basename, hostname or proxy. */
export async function update(db: Db, id: string, changes: Partial<SiteRow>): Promise<void> {
  await mapConstraintErrors(taken, () => db.update(SiteEntity, { id }, { ...changes, updatedAt: new Date() }))
}

/** Counts a change of a site, whose lock the caller holds; `closes` ends the visitor tokens of all versions before. Returns the versions since. */
export async function advanceVersion(
  db: Db,
  { id, version, closedVersion }: Pick<SiteRow, 'id' | 'version' | 'closedVersion'>,
  { closes }: { closes: boolean },
): Promise<Pick<SiteRow, 'version' | 'closedVersion'>> {
  const next = version + 1
  const now = new Date()
  const closing = closes ? { closedVersion: next, closedAt: now } : {}
  await db.update(SiteEntity, { id }, { version: next, changedAt: now, ...closing })
  return { version: next, closedVersion: closes ? next : closedVersion }
}

/** Deletes a site with all that belongs to it; its spaces stay. What visitors were given for versions below this one is remembered as closed. */
export async function remove(db: Db, id: string, closedVersion: number): Promise<void> {
  await db.delete(SiteEntity, { id })
  await db.insert(DeletedSiteEntity, { siteId: id, closedVersion, closedAt: new Date() })
}

/** The sites that were closed or deleted since a time, with the version from which on visitors read them. A new site has closed nothing. */
export async function closedSince(db: Db, since: Date): Promise<{ site: string; closedVersion: number }[]> {
  return query<{ site: string; closedVersion: number }>(
    db,
    `select id as site, closed_version as "closedVersion" from sites where closed_at >= $1 and closed_version > 0
     union all
     select site_id, closed_version from deleted_sites where closed_at >= $1`,
    [since],
  )
}

/** Forgets the sites that were deleted before a time. */
export async function forgetDeleted(db: Db, before: Date): Promise<void> {
  await db.delete(DeletedSiteEntity, { closedAt: LessThan(before) })
}

/** The ids of the sites with this hostname or basename, or behind a proxy at this host. */
export async function idsAtHost(
  db: Db,
  { host, basename }: { host: string; basename: string | undefined },
): Promise<string[]> {
  const rows = await atHost(db, [host, basename ?? null])
  return rows.map(({ id }) => id)
}

/** A member or guest of an organization. */
export interface SiteViewer {
  organization: string
  user: string
  role: Role | null
  teams: string[]
  limitedTo?: Pick<LimitedTo, 'sites'> | undefined
}

/** The first five parameters of a statement with `seenByViewer`. */
export function viewerValues({ organization, user, role, teams, limitedTo }: SiteViewer): unknown[] {
  return [organization, user, teams, role, limitedTo?.sites ?? null]
}

/** Which sites a list shows. */
export interface SiteFilter {
  /** Only sites that they see are listed; a role of null is a guest's. */
  viewer: SiteViewer
  /** A space that they show; null for one that the caller does not see. */
  space?: string | null | undefined
  /** Part of the title; case is ignored. */
  title?: string | undefined
  published?: boolean | undefined
  types?: string[] | undefined
}

/** Sites whose addresses are looked for at once. */
const maxPublicSites = 100

/** The ids of published public sites that show one of these spaces, in their order, the first hundred. */
export async function publicSitesWith(db: Db, spaces: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select distinct sites.id from sites join ${siteSpacesAsP} on p.site_id = sites.id
     where p.space_id = any($1) and not p.is_deleted and sites.published and sites.visibility = 'public'
     order by sites.id limit ${maxPublicSites}`,
    [spaces],
  )
  return rows.map(({ id }) => id)
}

/** The sites of an organization that somebody sees, the newest first. */
export async function list(db: Db, filter: SiteFilter, request: ListRequest): Promise<ListPage<SiteView>> {
  const values: unknown[] = viewerValues(filter.viewer)
  const where = ['organization_id = $1', seenByViewer]
  if (filter.title) where.push(`strpos(lower(title), lower($${values.push(filter.title)})) > 0`)
  if (filter.published !== undefined) where.push(`published = $${values.push(filter.published)}`)
  if (filter.types) where.push(`type = any($${values.push(filter.types)})`)
  if (filter.space !== undefined) where.push(showsSpace('sites.id', `$${values.push(filter.space)}`))
  const source = { sql: `select ${columns} from sites where ${where.join(' and ')}`, values, ...newestFirst }
  return listPage<SiteView>(db, source, request)
}
