import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  type ListSource,
  mapConstraintErrors,
  newestFirst,
  query,
} from '@recto/database'
import { Failure } from '@recto/operation'
import { In } from 'typeorm'
import { RedirectEntity, type RedirectRow } from './redirect.entity.ts'

const columns = columnsOf(RedirectEntity, 'site_redirects')
const taken = {
  site_redirects_source: { code: 'conflict' as const, message: 'body.source: another redirect of the site has it' },
}

/** Which redirects of a site are listed: those whose source has `search` as a part, in any case. */
interface ListFilter {
  siteId: string
  search: string | undefined
  draft: boolean
  orderBy: keyof typeof orders
}

const id = { column: 'id', type: 'text' }
const orders = {
  createdAt: newestFirst,
  updatedAt: { order: [{ column: 'changedAt', type: 'timestamptz' }, id], direction: 'desc' },
  source: { order: [{ column: 'path', type: 'text' }, id], direction: 'asc' },
} satisfies Record<string, Pick<ListSource, 'order' | 'direction'>>

/** Lists redirects of a site; one that was never changed has the time of its creation in the order of changes. */
export async function list(
  db: Db,
  { siteId, search = '', draft, orderBy }: ListFilter,
  request: ListRequest,
): Promise<ListPage<RedirectRow>> {
  const sql = `select ${columns}, coalesce(updated_at, created_at) as "changedAt", source collate "C" as "path"
    from site_redirects where site_id = $1 and draft = $2 and strpos(lower(source), lower($3)) > 0`
  return listPage<RedirectRow>(db, { sql, values: [siteId, draft, search], ...orders[orderBy] }, request)
}

/** Throws `not_found` when the site has no such redirect. */
export async function get(db: Db, { siteId, id }: { siteId: string; id: string }): Promise<RedirectRow> {
  const redirect = await db.findOneBy(RedirectEntity, { siteId, id })
  if (!redirect) throw new Failure('not_found', 'There is no such redirect')
  return redirect
}

/** The live redirect of a path of a site, by the first of its spellings that has one. */
export async function findLiveBySource(
  db: Db,
  siteId: string,
  spellings: readonly string[],
): Promise<RedirectRow | undefined> {
  const redirects = await db.findBy(RedirectEntity, { siteId, source: In([...spellings]), draft: false })
  return redirects.sort((one, other) => spellings.indexOf(one.source) - spellings.indexOf(other.source))[0]
}

/** The live redirects of a site whose wildcard may stand for a path: one of its spellings, with a slash at its end, begins like them. */
export async function findLiveWildcards(db: Db, siteId: string, spellings: readonly string[]): Promise<RedirectRow[]> {
  const sql = `select ${columns} from site_redirects where site_id = $1 and source like '%*' and not draft
    and exists (select from unnest($2::text[]) as spelling where starts_with(spelling || '/', left(source, -1)))`
  return query<RedirectRow>(db, sql, [siteId, spellings])
}

/** Writes a new redirect; throws `conflict` when another one of the site has its source. */
export async function insert(db: Db, redirect: RedirectRow): Promise<void> {
  await mapConstraintErrors(taken, () => db.insert(RedirectEntity, redirect))
}

/** Changes a redirect; throws `conflict` when another one of the site has its source. */
export async function update(db: Db, id: string, changes: Partial<RedirectRow>): Promise<void> {
  await mapConstraintErrors(taken, () => db.update(RedirectEntity, { id }, changes))
}

/** Deletes a redirect of a site; false where it has none. */
export async function remove(db: Db, of: { siteId: string; id: string }): Promise<boolean> {
  const { affected } = await db.delete(RedirectEntity, of)
  return affected === 1
}

/** The redirects of a site with some sources, drafts and live ones. */
export async function findBySources(db: Db, siteId: string, sources: readonly string[]): Promise<RedirectRow[]> {
  return db.findBy(RedirectEntity, { siteId, source: In([...sources]) })
}

/** Deletes and writes redirects of a site, in this order; of those that are written, what others make way for comes first. */
export async function saveAll(
  db: Db,
  siteId: string,
  { deletedIds, saved }: { deletedIds: readonly string[]; saved: RedirectRow[] },
): Promise<void> {
  if (deletedIds.length > 0) await db.delete(RedirectEntity, { siteId, id: In([...deletedIds]) })
  if (saved.length > 0) await mapConstraintErrors(taken, () => db.upsert(RedirectEntity, saved, ['id']))
}
