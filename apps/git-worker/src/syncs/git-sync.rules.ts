import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import { commitMessageOf } from '../operations/git-operations.rules.ts'
import type { GitSyncRow } from './git-sync.entity.ts'

/** The state of the branch: at the commit that was last synchronised, not at it, or not read since. */
export type RemoteState = 'synced' | 'ahead' | 'unknown'

/** The state that decides the next operation. */
export type SyncState = Pick<GitSyncRow, 'direction' | 'initial'> & {
  /** Whether main content is another revision than the one that was last synchronised. */
  isMainMoved: boolean
  remote: RemoteState
}

/**
 * Decides the next operation of a synchronisation, once none of it runs; this is asked after every event, so that one that arrives twice, late or
 * never does no harm. What main content has that the branch lacks is exported before the branch is imported: an export keeps the files that
 * only the branch changed, and is then followed by the import of what it met there.
 */
export function nextOperation({ direction, initial, isMainMoved, remote }: SyncState): 'import' | 'export' | undefined {
  if (initial) return initial
  if (direction !== 'import' && isMainMoved) return 'export'
  return direction !== 'export' && remote === 'ahead' ? 'import' : undefined
}

/** The main content that an import may replace; any where it is undefined. Changes since they were synchronised are to be exported first. */
export function requiredMain({
  direction,
  initial,
  syncedRevision,
}: Pick<GitSyncRow, 'direction' | 'initial' | 'syncedRevision'>): string | undefined {
  return direction === 'both' && initial === null ? (syncedRevision ?? undefined) : undefined
}

type Source = Pick<GitSyncRow, 'url' | 'ref' | 'projectDirectory'>

/** Whether two synchronisations are with the same folder of the same branch. */
export function isSameSource(one: Source, other: Source): boolean {
  const folder = (path: string) => path.replace(/^[./]+|[./]+$/g, '')
  return (
    one.url === other.url && one.ref === other.ref && folder(one.projectDirectory) === folder(other.projectDirectory)
  )
}

type FinishedOperation = Pick<GitOperationRow, 'syncId' | 'url' | 'ref' | 'options'>

/** Whether the end of an operation concerns a synchronisation: its own ones do, and those that somebody requested with the same branch. */
export function affectsSync(
  sync: Source & Pick<GitSyncRow, 'id'>,
  { syncId, url, ref, options }: FinishedOperation,
): boolean {
  if (syncId !== null) return syncId === sync.id
  return !options.standalone && isSameSource(sync, { url, ref, projectDirectory: options.repoProjectDirectory ?? '' })
}

const second = 1_000
const [firstRetry, lastRetry] = [30 * second, 3_600 * second]

/** When the branch is looked at next after a success; null when only webhooks tell of pushes. `random` spreads the polls of many spaces. */
export function nextPoll(
  { direction, pollInterval }: Pick<GitSyncRow, 'direction' | 'pollInterval'>,
  now: Date,
  random = Math.random(),
): Date | null {
  if (direction === 'export' || pollInterval === 0) return null
  return new Date(now.getTime() + pollInterval * second * (0.9 + random * 0.2))
}

/** When a failed attempt is repeated: after half a minute, then twice as long each time, and hourly in the end. */
export function nextRetry(failures: number, now: Date, random = Math.random()): Date {
  const pause = Math.min(firstRetry * 2 ** (failures - 1), lastRetry)
  return new Date(now.getTime() + pause * (0.9 + random * 0.2))
}

const withPlaceholder = /\{change_request_(?:number|subject)\}/
const mergeMessage = 'Merge change request #{change_request_number}: {change_request_subject}'
const earlierMessage = 'Also #{change_request_number}: {change_request_subject}'
const editMessage = 'Update content'

/**
 * The message of a commit that nobody requests: that of the last change request that was merged, and lines that name the ones before it. A
 * template that speaks of a change request is of no use where none was merged.
 */
export function syncMessage(
  template: string | undefined,
  [merged, ...earlier]: { number: number; subject: string }[],
): string {
  if (!merged) return template === undefined || withPlaceholder.test(template) ? editMessage : template
  const message = commitMessageOf(template ?? mergeMessage, merged)
  const also = earlier.map(each => commitMessageOf(earlierMessage, each))
  return also.length === 0 ? message : `${message}\n\n${also.join('\n')}`
}

/** The state of a synchronisation, as the API shows it. */
export function stateOf(
  { initial, failures }: Pick<GitSyncRow, 'initial' | 'failures'>,
  { isDeleted, isBusy }: { isDeleted: boolean; isBusy: boolean },
): 'paused' | 'synchronizing' | 'failing' | 'waiting' | 'synchronized' {
  if (isDeleted) return 'paused'
  if (isBusy) return 'synchronizing'
  if (failures > 0) return 'failing'
  return initial ? 'waiting' : 'synchronized'
}

/** The provider that a space shows for a repository: that of its host, where it has one. */
export function providerOf(url: string): 'github' | 'gitlab' | undefined {
  const { hostname } = new URL(url)
  return hostname === 'github.com' ? 'github' : hostname === 'gitlab.com' ? 'gitlab' : undefined
}
