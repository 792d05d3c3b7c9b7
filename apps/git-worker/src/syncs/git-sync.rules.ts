import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import { commitMessageOf } from '../operations/git-operations.rules.ts'
import type { GitSyncRow } from './git-sync.entity.ts'

/** The state of the branch: at the commit of the last synchronisation, at another one, or not read since. */
export type RemoteState = 'synced' | 'ahead' | 'unknown'

/** The state that decides the next operation. */
export type SyncState = Pick<GitSyncRow, 'direction' | 'initial'> & {
  /** Whether main content has another revision than at the last synchronisation. */
  isMainMoved: boolean
  remote: RemoteState
}

/**
 * Decides the next operation of a synchronisation when none of it runs. Every event leads to this decision, so an event that arrives twice,
 * late or never does no harm. Changes of main content are exported before the branch is imported: an export keeps files that only the branch
 * changed, and is followed by their import.
 */
export function nextOperation({ direction, initial, isMainMoved, remote }: SyncState): 'import' | 'export' | undefined {
  if (initial) return initial
  if (direction !== 'import' && isMainMoved) return 'export'
  return direction !== 'export' && remote === 'ahead' ? 'import' : undefined
}

/** The main content that an import may replace; undefined for any. Later changes of main content must be exported first. */
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

/** Whether the end of an operation affects a synchronisation: its own operations do, and requested ones with the same branch, but no previews. */
export function affectsSync(
  sync: Source & Pick<GitSyncRow, 'id'>,
  { syncId, url, ref, options }: FinishedOperation,
): boolean {
  if (options.preview !== undefined) return false
  if (syncId !== null) return syncId === sync.id
  return !options.standalone && isSameSource(sync, { url, ref, projectDirectory: options.repoProjectDirectory ?? '' })
}

const second = 1_000
const firstRetry = 30 * second
const lastRetry = 3_600 * second

/** Time of the next poll after a success; null when only webhooks report pushes. `random` spreads the polls of many spaces. */
export function nextPoll(
  { direction, pollInterval }: Pick<GitSyncRow, 'direction' | 'pollInterval'>,
  now: Date,
  random = Math.random(),
): Date | null {
  if (direction === 'export' || pollInterval === 0) return null
  return new Date(now.getTime() + pollInterval * second * (0.9 + random * 0.2))
}

/** Time of the next retry: after half a minute, then twice as long each time, and at most hourly. */
export function nextRetry(failures: number, now: Date, random = Math.random()): Date {
  const pause = Math.min(firstRetry * 2 ** (failures - 1), lastRetry)
  return new Date(now.getTime() + pause * (0.9 + random * 0.2))
}

const withPlaceholder = /\{change_request_(?:number|subject)\}/
const mergeMessage = 'Merge change request #{change_request_number}: {change_request_subject}'
const earlierMessage = 'Also #{change_request_number}: {change_request_subject}'
const editMessage = 'Update content'

/**
 * The message of a synchronisation's commit: that of the last merged change request, and lines that name the earlier ones. A template with
 * placeholders of a change request is not used when none was merged.
 */
export function syncMessage(
  template: string | undefined,
  [latest, ...earlier]: { number: number; subject: string }[],
): string {
  if (!latest) return template === undefined || withPlaceholder.test(template) ? editMessage : template
  const message = commitMessageOf(template ?? mergeMessage, latest)
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

/** The provider that a space shows for a repository, by its host; undefined for other hosts. */
export function providerOf(url: string): 'github' | 'gitlab' | undefined {
  const { hostname } = new URL(url)
  return hostname === 'github.com' ? 'github' : hostname === 'gitlab.com' ? 'gitlab' : undefined
}
