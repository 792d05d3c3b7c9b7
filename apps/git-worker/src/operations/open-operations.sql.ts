/** SQL condition that no operation of a synchronisation is queued or running, except for previews; `sync` is an expression of its id. */
export function hasNoOpenOperation(sync: string): string {
  return `not exists (
    select 1 from git_operations where git_operations.sync_id = ${sync} and state in ('queued', 'running')
      and options->>'preview' is null)`
}

/** SQL condition that an operation is not queued or running; `operation` is an expression of its id. */
export function hasEnded(operation: string): string {
  return `not exists (select 1 from git_operations where git_operations.id = ${operation} and state in ('queued', 'running'))`
}
