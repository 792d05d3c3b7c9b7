import { Failure } from '@recto/operation'

const day = 86_400_000

/** Milliseconds for which a deleted space can be restored; it is purged afterwards. */
export const restorePeriod = 7 * day

/** Throws `conflict` when the restore period has ended. */
export function requireRestorable(deletedAt: Date, now: Date): void {
  if (now.getTime() - deletedAt.getTime() > restorePeriod)
    throw new Failure('conflict', 'The space was deleted more than seven days ago')
}

/** The time before which deleted resources can no longer be restored. */
export function purgeCutoff(now: Date): Date {
  return new Date(now.getTime() - restorePeriod)
}

/** Whether something deleted at this time is to be purged. */
export function isPurgeable(deletedAt: Date | null, now: Date): boolean {
  return deletedAt !== null && deletedAt < purgeCutoff(now)
}
