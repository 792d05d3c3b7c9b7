import type { Viewer } from './access.policy.ts'

/** The SQL expressions of a caller: parameters of a statement, or columns. */
export interface CallerSql {
  organization: string
  user: string
  teams: string
  /** The role in the organization; null for guests. */
  role: string
}

/** A caller as the first four parameters of a statement. */
export const callerParameters: CallerSql = { organization: '$1', user: '$2', teams: '$3', role: '$4' }

/** The values of `callerParameters`. */
export function callerValues({
  organization,
  userId,
  teams,
  role,
}: Viewer): [organization: string, user: string, teams: string[], role: string | null] {
  return [organization, userId, teams, role]
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
