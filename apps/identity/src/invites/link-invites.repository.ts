import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { LinkInviteEntity, type LinkInviteRow } from './link-invite.entity.ts'
import { LinkInviteUseEntity } from './link-invite-use.entity.ts'

const columns = columnsOf(LinkInviteEntity, 'link_invites')
const usableColumns = columnsOf(LinkInviteEntity, 'i', ['id', 'role', 'space', 'collection'])

interface Which {
  organization: string
  id: string
}

/** A link that can be used now, and whether who joins needs single sign-on. */
export interface UsableLink extends Pick<LinkInviteRow, 'id' | 'role' | 'space' | 'collection'> {
  requiresSso: boolean
}

/** What everybody hears of a link that they cannot use, whatever the reason. */
export function noSuchInvite(): Failure {
  return new Failure('not_found', 'There is no such invite')
}

export async function insert(db: Db, link: LinkInviteRow): Promise<void> {
  await db.insert(LinkInviteEntity, link)
}

export async function get(db: Db, { organization, id }: Which): Promise<LinkInviteRow> {
  const link = await db.findOneBy(LinkInviteEntity, { organizationId: organization, id })
  if (!link) throw noSuchInvite()
  return link
}

/** Links to the organization itself. */
export async function listOf(db: Db, organization: string, request: ListRequest): Promise<ListPage<LinkInviteRow>> {
  const sql = `select ${columns} from link_invites where organization_id = $1 and space is null and collection is null`
  return listPage<LinkInviteRow>(db, { sql, values: [organization], ...newestFirst }, request)
}

export async function setRole(db: Db, { organization, id }: Which, role: Role | null): Promise<void> {
  const { affected } = await db.update(LinkInviteEntity, { organizationId: organization, id }, { role })
  if (affected === 0) throw noSuchInvite()
}

export async function remove(db: Db, { organization, id }: Which): Promise<void> {
  await db.delete(LinkInviteEntity, { organizationId: organization, id })
}

/** The link if it can be used now; it is not deleted before the caller's transaction ends. */
export async function usable(db: Db, { organization, id }: Which): Promise<UsableLink> {
  const [link] = await query<UsableLink>(
    db,
    `select ${usableColumns}, o.sso as "requiresSso" from link_invites i join organizations o on o.id = i.organization_id
     where i.organization_id = $1 and i.id = $2 and o.invite_links for key share of i`,
    [organization, id],
  )
  if (!link) throw noSuchInvite()
  return link
}

/** Records that a user joins with a link; false when they have before. */
export async function use(db: Db, link: string, userId: string): Promise<boolean> {
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
