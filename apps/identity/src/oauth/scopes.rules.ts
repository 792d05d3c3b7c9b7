import { includesScope, scopeTable, TokenScope } from '@recto/contracts-shared'
import { scopeGroups } from '@recto/operation'

/** Everything that a program may ask for. */
export const grantableScopes: readonly TokenScope[] = TokenScope.options

const groupSummaries = {
  read: 'Read everything that you can read',
  write: 'Read and change everything that you can, except access tokens',
  admin: 'Do everything that you can do, and issue access tokens',
} as const

/** The scopes of a request that exist and that the token of the sign-in includes: nobody allows more than they may do. */
export function allowedScopes(requested: string | undefined, held: readonly string[]): TokenScope[] {
  const names = new Set(requested?.split(' '))
  return grantableScopes.filter(scope => names.has(scope) && includesScope(held, scope))
}

/** The fault of a request without a scope that exists. */
export const noScope = 'The request names no scope: ask for read, write, or one of scopes_supported'

/** Whether a request asks for a scope that exists. */
export function asksForScope(requested: string | null | undefined): boolean {
  return allowedScopes(requested ?? undefined, ['admin']).length > 0
}

/** Describes a scope in words for a person. */
export function describeScope(scope: TokenScope): string {
  const group = scopeGroups.find(name => name === scope)
  return group ? groupSummaries[group] : scopeTable[scope as keyof typeof scopeTable].summary
}
