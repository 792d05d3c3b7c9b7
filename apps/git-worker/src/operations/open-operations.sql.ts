/** SQL condition that no operation of a synchronisation is queued or running; `sync` is an expression of its id. */
export function hasNoOpenOperation(sync: string): string {
  return `not exists (
    select 1 from git_operations where git_operations.sync_id = ${sync} and state in ('queued', 'running'))`
}
