/** Groups of token scopes in ascending order; each includes those before it. A token may hold groups, and single scopes by name. */
export const scopeGroups = ['read', 'write', 'admin'] as const

/** One of the groups of token scopes. */
export type ScopeGroup = (typeof scopeGroups)[number]
