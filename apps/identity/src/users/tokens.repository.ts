import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  newestFirst,
  prepared,
  query,
} from '@recto/database'
import { TokenEntity, type TokenRow } from './token.entity'

const columns = columnsOf(TokenEntity, 'tokens')

/** Whose tokens: with a token of a single sign-on, those of the same sign-on only. */
export interface Holder {
  userId: string
  sso: string | undefined
}

export async function list(db: Db, { userId, sso }: Holder, request: ListRequest): Promise<ListPage<TokenRow>> {
  const source = {
    sql: `select ${columns} from tokens where user_id = $1 and ($2::text is null or sso_organization = $2)`,
    values: [userId, sso ?? null],
    ...newestFirst,
  }
  return listPage<TokenRow>(db, source, request)
}

export async function insert(db: Db, token: TokenRow): Promise<void> {
  await db.insert(TokenEntity, token)
}

export async function remove(db: Db, id: string, { userId, sso }: Holder): Promise<void> {
  await db.delete(TokenEntity, { id, userId, ...(sso !== undefined && { ssoOrganization: sso }) })
}

export interface Bearer {
  tokenId: string
  userId: string
  platformAdmin: boolean
  scopes: string[]
  expiresAt: Date | null
  memberships: { organization: string; role: string | null; teams: string[] }[]
  sso: string | null
  ssoRequired: string[]
}

const bearer = prepared<Bearer>(
  'bearer',
  `select t.id as "tokenId", t.user_id as "userId", u.platform_admin and t.sso_organization is null as "platformAdmin", t.scopes,
     t.expires_at as "expiresAt", t.sso_organization as sso,
     coalesce(m.memberships, '[]') as memberships, coalesce(m.barred, '[]') as "ssoRequired"
   from tokens t join users u on u.id = t.user_id
   left join lateral (
     select jsonb_agg(jsonb_build_object('organization', id, 'role', role, 'teams', teams)) filter (where not is_barred) as memberships,
       jsonb_agg(id) filter (where is_barred) as barred
     from (
       select o.id, m.role, o.sso and m.role is distinct from 'admin' and t.sso_organization is null as is_barred,
         coalesce((select jsonb_agg(team_id) from team_members where organization_id = o.id and user_id = m.user_id), '[]') as teams
       from members m join organizations o on o.id = m.organization_id
       where m.user_id = t.user_id and not m.disabled and (t.sso_organization is null or t.sso_organization = o.id)
     ) membership
   ) m on true
   where t.hash = $1 and (t.expires_at is null or t.expires_at > now())`,
)

/** Who holds a token, with all that authorization needs, in one query. */
export async function bearerOf(db: Db, hash: string): Promise<Bearer | undefined> {
  const [found] = await bearer(db, [hash])
  return found
}

/** Notes the use of a token, and that its holder was active where it counts, to the minute. */
export async function touch(db: Db, { tokenId, userId, memberships }: Bearer): Promise<void> {
  await query(
    db,
    `with used as (
       update tokens set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')
     )
     update members set last_seen_at = now()
     where user_id = $2 and organization_id = any($3) and (last_seen_at is null or last_seen_at < now() - interval '1 minute')`,
    [tokenId, userId, memberships.map(({ organization }) => organization)],
  )
}
