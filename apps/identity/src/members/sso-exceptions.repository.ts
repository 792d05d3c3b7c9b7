import { query, type Db } from '@recto/database'

/**
 * Those of these e-mails, in lower case, whose users must not become members of the organization by its single sign-on: it
 * would answer for accounts that reach further. Its own members are left out, since no invite changes them.
 */
export async function withoutSso(db: Db, organization: string, emails: string[]): Promise<Set<string>> {
  const rows = await query<{ email: string }>(
    db,
    `select lower(u.email) as email from users u
     where lower(u.email) = any($2)
       and (u.platform_admin or exists (select from members m where m.user_id = u.id))
       and not exists (select from members m where m.user_id = u.id and m.organization_id = $1)`,
    [organization, emails],
  )
  return new Set(rows.map(({ email }) => email))
}
