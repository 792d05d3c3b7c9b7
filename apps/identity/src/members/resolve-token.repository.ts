import type { LimitedTo } from '@recto/actor'
import { prepared, query, type Db } from '@recto/database'
import { organizationsAsO } from '../organizations/organizations.repository.ts'
import { teamIdsOfM } from '../teams/team-members.repository.ts'
import { touchTokenSql, validTokenSql } from '../users/tokens.repository.ts'

/** A valid token with all that authorization needs. */
export interface ResolvedToken {
  tokenId: string
  userId: string
  platformAdmin: boolean
  scopes: string[]
  expiresAt: Date | null
  memberships: { organization: string; role: string | null; teams: string[] }[]
  /** The organization whose single sign-on issued the token. */
  sso: string | null
  /** The organization that the user is a service account of; it needs no single sign-on. */
  serviceAccount: string | null
  allowedAddresses: string[] | null
  /** The resources that it is limited to. */
  limitedTo: LimitedTo | null
  /** The grant of a program that it is an access token of. */
  grantId: string | null
  /** Organizations of the user that require single sign-on, which this token does not come from. */
  ssoRequired: string[]
}

const resolve = prepared<ResolvedToken>(
  'resolve_token',
  `select ${validTokenSql.columns},
     coalesce(m.memberships, '[]') as memberships, coalesce(m.sso_required, '[]') as "ssoRequired"
   from ${validTokenSql.tables}
   left join lateral (
     select jsonb_agg(jsonb_build_object('organization', id, 'role', role, 'teams', teams)) filter (where not requires_sso) as memberships,
       jsonb_agg(id) filter (where requires_sso) as sso_required
     from (
       select o.id, m.role, o.sso and m.role is distinct from 'admin' and t.sso_organization is null and u.service_account_of is null as requires_sso,
         coalesce(${teamIdsOfM}, '[]') as teams
       from members m join ${organizationsAsO} on o.id = m.organization_id
       where m.user_id = t.user_id and not m.disabled and (t.sso_organization is null or t.sso_organization = o.id)
     ) membership
   ) m on true
   where ${validTokenSql.condition}`,
)

/** Finds a token by its SHA-256 with its user and memberships, in one query; undefined when it is unknown or has expired. */
export async function resolveToken(db: Db, hash: string): Promise<ResolvedToken | undefined> {
  const [token] = await resolve(db, [hash])
  return token
}

/** Records the use of a token, and that its user was active in the organizations where it is valid; at most once a minute. */
export async function recordTokenUse(db: Db, { tokenId, userId, memberships }: ResolvedToken): Promise<void> {
  await query(
    db,
    `with used as (${touchTokenSql})
     update members set last_seen_at = now()
     where user_id = $2 and organization_id = any($3) and (last_seen_at is null or last_seen_at < now() - interval '1 minute')`,
    [tokenId, userId, memberships.map(({ organization }) => organization)],
  )
}
