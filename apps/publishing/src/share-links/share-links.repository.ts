import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { Failure } from '@recto/operation'
import { ShareLinkEntity, type ShareLinkRow } from './share-link.entity.ts'

const columns = columnsOf(ShareLinkEntity, 'share_links')

/** The share links of a site whose name or key has a text, the newest first. */
export async function list(
  db: Db,
  { siteId, search = '' }: { siteId: string; search?: string | undefined },
  request: ListRequest,
): Promise<ListPage<ShareLinkRow>> {
  const matches = `(strpos(lower(name), lower($2)) > 0 or strpos(key, $2) > 0)`
  const sql = `select ${columns} from share_links where site_id = $1 and ${matches}`
  const source = { sql, values: [siteId, search], ...newestFirst }
  return listPage<ShareLinkRow>(db, source, request)
}

/** Throws `not_found` when the site has no such link. */
export async function get(db: Db, { siteId, id }: { siteId: string; id: string }): Promise<ShareLinkRow> {
  return requireLink(await db.findOneBy(ShareLinkEntity, { siteId, id }))
}

/** The active link with a key; throws `not_found` when the site has none. */
export async function getActive(db: Db, { siteId, key }: { siteId: string; key: string }): Promise<ShareLinkRow> {
  return requireLink(await db.findOneBy(ShareLinkEntity, { siteId, key, active: true }))
}

/** The site of the link with a key, active or not. */
export async function siteOfKey(db: Db, key: string): Promise<string | undefined> {
  return (await db.findOneBy(ShareLinkEntity, { key }))?.siteId
}

/** The keys of the active links of a site. */
export async function activeKeys(db: Db, siteId: string): Promise<string[]> {
  const links = await db.find(ShareLinkEntity, { select: { key: true }, where: { siteId, active: true } })
  return links.map(({ key }) => key)
}

/** Writes a new link. */
export async function insert(db: Db, link: ShareLinkRow): Promise<void> {
  await db.insert(ShareLinkEntity, link)
}

/** Changes a link. */
export async function update(db: Db, id: string, changes: Partial<ShareLinkRow>): Promise<void> {
  await db.update(ShareLinkEntity, { id }, changes)
}

/** Deletes a link of a site, if it has it, and returns what it was. */
export async function remove(db: Db, of: { siteId: string; id: string }): Promise<ShareLinkRow | undefined> {
  const link = await db.findOneBy(ShareLinkEntity, of)
  await db.delete(ShareLinkEntity, of)
  return link ?? undefined
}

function requireLink(link: ShareLinkRow | null): ShareLinkRow {
  if (!link) throw new Failure('not_found', 'There is no such share link')
  return link
}
