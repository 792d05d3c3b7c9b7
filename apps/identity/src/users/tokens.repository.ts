import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { type FindOptionsWhere, In, IsNull, Raw } from 'typeorm'
import { TokenEntity, type TokenRow } from './token.entity.ts'
import { limitedPrefix, type SignInOrigin } from './tokens.rules.ts'
import { usersAsU } from './users.repository.ts'

const columns = columnsOf(TokenEntity, 'tokens')

/** Select list, tables and condition that resolve the token `t` whose SHA-256 is `$1`, with its user `u`; an expired token is not found. */
export const validTokenSql = {
  columns: `t.id as "tokenId", t.user_id as "userId", u.platform_admin and t.sso_organization is null and t.limited_to is null as "platformAdmin", t.scopes,
     t.expires_at as "expiresAt", t.sso_organization as sso, u.service_account_of as "serviceAccount",
     t.allowed_addresses as "allowedAddresses", t.limited_to as "limitedTo", t.grant_id as "grantId"`,
  tables: `tokens t join ${usersAsU} on u.id = t.user_id`,
  condition: `t.hash in ($1, '${limitedPrefix}' || $1) and (t.expires_at is null or t.expires_at > now())`,
}

/** Records that the token `$1` is used, at most once a minute. */
export const touchTokenSql = `update tokens set last_used_at = now()
  where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`

/** The owner of tokens; with `sso`, those issued by the single sign-on of this organization only. */
export interface TokenOwner {
  userId: string
  sso: string | undefined
}

/** A token by its id, be it expired. */
export async function find(db: Db, { id }: Pick<TokenRow, 'id'>): Promise<TokenRow | undefined> {
  return (await db.findOneBy(TokenEntity, { id })) ?? undefined
}

/** A token by its SHA-256, be it expired or limited. */
export async function findByHash(db: Db, hash: string): Promise<TokenRow | undefined> {
  return (await db.findOneBy(TokenEntity, { hash: In([hash, `${limitedPrefix}${hash}`]) })) ?? undefined
}

/** A user's tokens, newest first, without those of programs. */
export async function list(db: Db, { userId, sso }: TokenOwner, request: ListRequest): Promise<ListPage<TokenRow>> {
  const source = {
    sql: `select ${columns} from tokens where user_id = $1 and grant_id is null and ($2::text is null or sso_organization = $2)`,
    values: [userId, sso ?? null],
    ...newestFirst,
  }
  return listPage<TokenRow>(db, source, request)
}

export async function insert(db: Db, token: TokenRow): Promise<void> {
  await db.insert(TokenEntity, token)
}

/** A token that was revoked. */
export type RevokedToken = Pick<TokenRow, 'id' | 'userId' | 'ssoOrganization'>

/** Revokes a token; one that does not exist is no error. Resolves to what was revoked. */
export async function remove(db: Db, id: string, { userId, sso }: TokenOwner): Promise<RevokedToken[]> {
  return removeWhere(db, { id, userId, ...(sso !== undefined && { ssoOrganization: sso }) })
}

/** The single sign-on that issued a token; undefined when it did not, and for a token that is not there any more. */
export async function findSignIn(db: Db, id: string): Promise<SignInOrigin | undefined> {
  const token = await db.findOneBy(TokenEntity, { id })
  if (!token?.ssoOrganization) return undefined
  const {
    ssoOrganization: organization,
    ssoProvider: provider,
    oidcProvider,
    oidcSubject: sub,
    oidcSession = null,
  } = token
  if (!oidcProvider || !sub) return { organization, provider }
  return { organization, provider, oidc: { provider: oidcProvider, sub, sid: oidcSession } }
}

/** Revokes the tokens issued with a SAML provider, and those of its organization whose provider is not recorded; resolves to them. */
export async function removeOfProvider(
  db: Db,
  { organization, provider }: { organization: string; provider: string },
): Promise<RevokedToken[]> {
  const origins = [{ ssoProvider: provider }, { ssoProvider: IsNull(), oidcProvider: IsNull() }]
  return removeWhere(
    db,
    origins.map(origin => ({ ssoOrganization: organization, ...origin })),
  )
}

/** Revokes the tokens issued with an OpenID provider, of all sessions or of those that are named; resolves to them. */
export async function removeOfOidcProvider(
  db: Db,
  provider: string,
  { sub, sid }: { sub?: string | undefined; sid?: string | undefined } = {},
): Promise<RevokedToken[]> {
  return removeWhere(db, {
    oidcProvider: provider,
    ...(sub !== undefined && { oidcSubject: sub }),
    ...(sid !== undefined && { oidcSession: sid }),
  })
}

/** Revokes the tokens that the single sign-on of an organization issued to a user. */
export async function removeOfMember(db: Db, member: { organization: string; userId: string }): Promise<void> {
  await removeWhere(db, { ssoOrganization: member.organization, userId: member.userId })
}

/** Deletes the tokens of a program's grant that have expired: each renewal makes another one. */
export async function removeExpiredOfGrant(db: Db, grantId: string): Promise<void> {
  await db.delete(TokenEntity, { grantId, expiresAt: Raw(column => `${column} < now()`) })
}

/** Revokes all tokens of a user; resolves to them. */
export async function removeOfUser(db: Db, userId: string): Promise<RevokedToken[]> {
  return removeWhere(db, { userId })
}

/** Lists all tokens of a user, expired ones too, newest first; for commands of administrators. */
export async function listAllOfUser(db: Db, userId: string): Promise<TokenRow[]> {
  return db.find(TokenEntity, { where: { userId }, order: { createdAt: 'DESC', id: 'DESC' } })
}

/** Revokes tokens of any user; resolves to those that existed. */
export async function removeAll(db: Db, ids: string[]): Promise<RevokedToken[]> {
  return removeWhere(db, { id: In(ids) })
}

/** Revokes tokens; resolves to them. */
async function removeWhere(
  db: Db,
  condition: FindOptionsWhere<TokenRow> | FindOptionsWhere<TokenRow>[],
): Promise<RevokedToken[]> {
  const deletion = db.createQueryBuilder().delete().from(TokenEntity).where(condition)
  const { raw } = await deletion
    .returning(columnsOf(TokenEntity, 'tokens', ['id', 'userId', 'ssoOrganization']))
    .execute()
  return raw as RevokedToken[]
}
