import { listPage, newestFirst, prepared, query, type Db, type ListPage, type PageRequest } from '@recto/database'
import { TokenEntity, type TokenRow } from './token.entity.ts'

const columns = `id, user_id as "userId", name, hash, scopes, hint, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"`

export async function list(db: Db, userId: string, request: PageRequest & { secret: string }): Promise<ListPage<TokenRow>> {
  const source = {
    name: 'tokens',
    sql: `select ${columns} from tokens where user_id = $1`,
    values: [userId],
    ...newestFirst,
  }
  return listPage<TokenRow>(db, source, request)
}

export async function insert(db: Db, token: TokenRow): Promise<void> {
  await db.insert(TokenEntity, token)
}

export async function remove(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  await db.delete(TokenEntity, { id, userId })
}

export interface Bearer {
  tokenId: string
  userId: string
  platformAdmin: boolean
  scopes: string[]
  expiresAt: Date | null
  memberships: { organization: string; role: string | null; teams: string[] }[]
}

const bearer = prepared<Bearer>(
  'bearer',
  `select t.id as "tokenId", t.user_id as "userId", u.platform_admin as "platformAdmin", t.scopes, t.expires_at as "expiresAt",
     coalesce(m.memberships, '[]'::jsonb) as memberships
   from tokens t join users u on u.id = t.user_id
   left join lateral (
     select jsonb_agg(jsonb_build_object('organization', organization_id, 'role', role, 'teams', '[]'::jsonb)) as memberships
     from members where user_id = t.user_id and not disabled
   ) m on true
   where t.hash = $1 and (t.expires_at is null or t.expires_at > now())`,
)

/** Who holds a token, with all that authorization needs, in one query. */
export async function bearerOf(db: Db, hash: string): Promise<Bearer | undefined> {
  const [found] = await bearer(db, [hash])
  return found
}

/** Notes the use of a token, to the minute. */
export async function touch(db: Db, id: string): Promise<void> {
  await query(
    db,
    `update tokens set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id],
  )
}
