import type { Viewer } from './access.policy.ts'

/** The SQL expressions of a caller: parameters of a statement, or columns. */
export interface CallerSql {
  organization: string
  user: string
  teams: string
  /** The role in the organization; null for guests. */
  role: string
  /** The ids of the spaces and collections that the token is limited to; null when it is not limited. */
  limits: string
}

/** A caller as the first five parameters of a statement. */
export const callerParameters: CallerSql = { organization: '$1', user: '$2', teams: '$3', role: '$4', limits: '$5' }

/** The values of `callerParameters`. */
export function callerValues({
  organization,
  userId,
  teams,
  role,
  limitedTo,
}: Viewer): [organization: string, user: string, teams: string[], role: string | null, limits: string[] | null] {
  return [organization, userId, teams, role, limitedTo ? [...limitedTo.spaces, ...limitedTo.collections] : null]
}

/** Whether a caller's token covers a resource: it is not limited, or names the resource by its id, or covers the collection that it is in. */
export function coveredExpression({ limits }: CallerSql, { id, above }: { id: string; above: string }): string {
  return `(${limits}::text[] is null or ${id} = any(${limits}::text[]) or coalesce(${above}, false))`
}

/** The SQL of one step of the policy: the role on a resource from the grant on it, its default level, and the role on its parent. */
export function roleExpression({
  grantedRole,
  defaultLevel,
  above,
  role,
}: {
  grantedRole: string
  defaultLevel: string
  above: string
  role: string
}): string {
  return `case when ${role}::text = 'admin' then 'admin' when ${grantedRole} is not null then ${grantedRole} when ${defaultLevel} = 'inherit' then ${above}
    when ${role}::text is not null then ${defaultLevel} end`
}
