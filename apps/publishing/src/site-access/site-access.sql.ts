/** SQL expressions of a site, and of a member: their role in the organization is null for guests. */
interface SightSql {
  site: string
  defaultLevel: string
  user: string
  teams: string
  role: string
  /** The ids of the sites that the token is limited to; null when it is not limited. */
  limits: string
}

/**
 * A condition for a member or guest seeing a site, as the policy decides: every grant and every default level but null lets one see it,
 * since `read` is the lowest role. A token that is limited to resources sees the sites among them.
 */
export function seesSite({ site, defaultLevel, user, teams, role, limits }: SightSql): string {
  return `(${limits}::text[] is null or ${site} = any(${limits}::text[])) and (${role}::text = 'admin' or ${role}::text is not null and ${defaultLevel} is not null or exists (
    select from site_grants g where g.site_id = ${site}
      and (g.subject = 'user' and g.subject_id = ${user} or g.subject = 'team' and g.subject_id = any(${teams}::text[]))))`
}
