import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { organizationsAsO } from '../organizations/organizations.repository.ts'
import { LinkInviteEntity, type LinkInviteRow } from './link-invite.entity.ts'
import { LinkInviteUseEntity } from './link-invite-use.entity.ts'

const columns = columnsOf(LinkInviteEntity, 'link_invites')
const usableColumns = columnsOf(LinkInviteEntity, 'i', ['id', 'role', 'space', 'collection'])

/** A link invite of an organization. */
export interface LinkInviteKey {
  organization: string
  id: string
}

/** A link that can be used now; `requiresSso` when the organization requires single sign-on. */
export interface UsableLink extends Pick<LinkInviteRow, 'id' | 'role' | 'space' | 'collection'> {
  requiresSso: boolean
}

/** The failure for every link that cannot be used, whatever the reason, so that it discloses nothing. */
export function inviteNotFound(): Failure {
  return new Failure('not_found', 'There is no such invite')
}

export async function insert(db: Db, link: LinkInviteRow): Promise<void> {
  await db.insert(LinkInviteEntity, link)
}

export async function get(db: Db, { organization, id }: LinkInviteKey): Promise<LinkInviteRow> {
  const link = await db.findOneBy(LinkInviteEntity, { organizationId: organization, id })
  if (!link) throw inviteNotFound()
  return link
}

/** The links to the organization itself, newest first; not those to spaces and collections. */
export async function listOrganizationLinks(
  db: Db,
  organization: string,
  request: ListRequest,
): Promise<ListPage<LinkInviteRow>> {
  const sql = `select ${columns} from link_invites where organization_id = $1 and space is null and collection is null`
  return listPage<LinkInviteRow>(db, { sql, values: [organization], ...newestFirst }, request)
}

export async function setRole(db: Db, { organization, id }: LinkInviteKey, role: Role | null): Promise<void> {
  const { affected } = await db.update(LinkInviteEntity, { organizationId: organization, id }, { role })
  if (affected === 0) throw inviteNotFound()
}

/** Deletes a link; false when there is none. */
export async function remove(db: Db, { organization, id }: LinkInviteKey): Promise<boolean> {
  const { affected } = await db.delete(LinkInviteEntity, { organizationId: organization, id })
  return affected === 1
}

/** The link when it can be used now, locked against deletion until the transaction ends; throws `not_found`. */
export async function lockUsable(db: Db, { organization, id }: LinkInviteKey): Promise<UsableLink> {
  const [link] = await query<UsableLink>(
    db,
    `select ${usableColumns}, o.sso as "requiresSso" from link_invites i join ${organizationsAsO} on o.id = i.organization_id
     where i.organization_id = $1 and i.id = $2 and o.invite_links for key share of i`,
    [organization, id],
  )
  if (!link) throw inviteNotFound()
  return link
}

/** Records that a user joined with a link; false when they had before. */
export async function recordUse(db: Db, link: string, userId: string): Promise<boolean> {
  const use = { inviteId: link, userId, usedAt: () => 'now()' }
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(LinkInviteUseEntity)
    .values(use)
    .orIgnore()
    .returning('1')
    .execute()
  return raw.length > 0
}

export async function hasUsed(db: Db, link: string, userId: string): Promise<boolean> {
  return db.existsBy(LinkInviteUseEntity, { inviteId: link, userId })
}
