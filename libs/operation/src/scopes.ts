import { Failure } from './failure.ts'
import type { Caller, Operation } from './operation.ts'
import { scopeGroups, type ScopeGroup } from './scope-groups.ts'

/** Returns the group of scopes that a row belongs to: that of its `access`, else `read` for GET and for what only reads, and `write` for the rest. */
export function groupOf({ access, records, route }: Operation): ScopeGroup {
  const isReading = route?.startsWith('GET ') || (records !== undefined && 'reads' in records && records.reads)
  return access?.group ?? (isReading ? 'read' : 'write')
}

/** Returns the name of the scope that a token needs for a row; for a row without one it is its group. */
export function scopeOf(operation: Operation): string {
  return operation.scope ?? groupOf(operation)
}

/** Throws `forbidden` when a row may not be used with a caller's token: it lacks the scope, it is limited to resources that the row is not about, or the row is not for its kind of caller. */
export function requireAllowed(operation: Operation, caller: Caller): void {
  if (caller.kind !== undefined) {
    if (operation.access?.callers?.includes(caller.kind)) return
    throw new Failure('forbidden', `The token of a ${caller.kind} does not allow this`)
  }
  if (!allowsOperation(caller.scopes, operation))
    throw new Failure('forbidden', `The token lacks the scope ${scopeOf(operation)}`)
  if (!allowsLimited(caller, operation)) throw limitForbids()
}

/** The failure for a token that is limited to resources, and is used for others. */
export function limitForbids(): Failure {
  return new Failure('forbidden', 'The token is limited to some resources: this is about others, too')
}

/** Checks that a row is for the token of a caller, which may be limited to resources; whether it is about these, its service decides. */
export function allowsLimited({ limitedTo }: Pick<Caller, 'limitedTo'>, { access }: Operation): boolean {
  return limitedTo === undefined || access?.limited !== undefined
}

/** Checks that the scopes of a token include that of a row, by its name or by a group; an empty list includes none. */
export function allowsOperation(held: readonly string[], operation: Operation): boolean {
  return (operation.scope !== undefined && held.includes(operation.scope)) || includesGroup(held, groupOf(operation))
}

/** Checks that the scopes of a token include a group, or one above it. */
export function includesGroup(held: readonly string[], group: ScopeGroup): boolean {
  return scopeGroups.slice(scopeGroups.indexOf(group)).some(enough => held.includes(enough))
}
