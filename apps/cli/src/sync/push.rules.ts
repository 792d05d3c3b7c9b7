import { UsageFailure } from '../terminal/command.ts'
import type { SyncState } from './sync-state.rules.ts'

/** The change request that a push writes to: an existing one, by its number or id, or a new one. */
export type PushTarget = { id: string } | { subject: string }

/** Files by what happened to them since the last pull or push. */
export interface FileCounts {
  added: number
  changed: number
  removed: number
}

/**
 * Chooses where a push writes to: what the caller says, else what the folder follows; undefined for main content. Throws `UsageFailure` where
 * the folder follows another change request.
 */
export function pushTarget(
  target: PushTarget | undefined,
  { changeRequest: own }: Pick<SyncState, 'changeRequest'>,
): PushTarget | undefined {
  if (!own) return target
  if (!target) return { id: own.id }
  if ('id' in target && [own.id, `${own.number}`].includes(target.id)) return { id: own.id }
  throw new UsageFailure(
    `The folder is of change request ${own.number}: push without --subject and --change-request, or pull the space into it first`,
  )
}

/** Counts the files of a folder, path to git object, by what happened to them. */
export function countChanges(oids: ReadonlyMap<string, string>, before: Readonly<Record<string, string>>): FileCounts {
  const paths = [...oids.keys()]
  return {
    added: paths.filter(path => !Object.hasOwn(before, path)).length,
    changed: paths.filter(path => Object.hasOwn(before, path) && before[path] !== oids.get(path)).length,
    removed: Object.keys(before).filter(path => !oids.has(path)).length,
  }
}
