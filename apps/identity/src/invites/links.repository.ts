import { type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { Failure, type Role } from '@recto/operation'
import type { LinkInviteRow } from './link-invite.entity.ts'

const columns = `id, organization_id as "organizationId", role, space, collection, created_at as "createdAt"`

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
  await query(
    db,
    'insert into link_invites (id, organization_id, role, space, collection, created_at) values ($1, $2, $3, $4, $5, $6)',
    [link.id, link.organizationId, link.role, link.space, link.collection, link.createdAt],
  )
}

export async function get(db: Db, { organization, id }: Which): Promise<LinkInviteRow> {
  const [link] = await query<LinkInviteRow>(db, `select ${columns} from link_invites where organization_id = $1 and id = $2`, [organization, id])
  if (!link) throw noSuchInvite()
  return link
}

/** Links to the organization itself. */
export async function listOf(db: Db, organization: string, request: ListRequest): Promise<ListPage<LinkInviteRow>> {
  const sql = `select ${columns} from link_invites where organization_id = $1 and space is null and collection is null`
  return listPage<LinkInviteRow>(db, { sql, values: [organization], ...newestFirst }, request)
}

export async function setRole(db: Db, { organization, id }: Which, role: Role | null): Promise<void> {
  const changed = await query(db, 'update link_invites set role = $3 where organization_id = $1 and id = $2 returning 1', [organization, id, role])
  if (changed.length === 0) throw noSuchInvite()
}

export async function remove(db: Db, { organization, id }: Which): Promise<void> {
  await query(db, 'delete from link_invites where organization_id = $1 and id = $2', [organization, id])
}

/** The link if it can be used now; it is not deleted before the caller's transaction ends. */
export async function usable(db: Db, { organization, id }: Which): Promise<UsableLink> {
  const [link] = await query<UsableLink>(
    db,
    `select i.id, i.role, i.space, i.collection, o.sso as "requiresSso" from link_invites i join organizations o on o.id = i.organization_id
     where i.organization_id = $1 and i.id = $2 and o.invite_links for key share of i`,
    [organization, id],
  )
  if (!link) throw noSuchInvite()
  return link
}

/** Records that a user joins with a link; false when they have before. */
export async function use(db: Db, link: string, userId: string): Promise<boolean> {
  const used = await query(db, 'insert into link_invite_uses (invite_id, user_id, used_at) values ($1, $2, now()) on conflict do nothing returning 1', [link, userId])
  return used.length > 0
}

export async function hasUsed(db: Db, link: string, userId: string): Promise<boolean> {
  const [used] = await query(db, 'select 1 from link_invite_uses where invite_id = $1 and user_id = $2', [link, userId])
  return used !== undefined
}
