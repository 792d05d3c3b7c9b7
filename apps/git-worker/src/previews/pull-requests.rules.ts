import type { PullHead } from '../forges/forge.rules.ts'
import type { PullRequest } from '../forges/pull-request.rules.ts'
import type { PreviewSettings } from '../syncs/git-sync.entity.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'

/** Open previews of one synchronisation. Further pull requests are not previewed until one of them ends. */
export const maxOpenPreviews = 100

type ExistingPreview = Pick<GitPreviewRow, 'number' | 'state' | 'head' | 'changedAt'>

/** A change of a preview that the pull requests of a repository ask for. */
export type PreviewChange =
  | { kind: 'open'; number: number; head: string | null }
  | { kind: 'reopen' | 'move'; number: number; head: string | null }
  | { kind: 'close'; number: number; state: 'merged' | 'closed' }

/**
 * Decides what the heads in a repository change. Forges keep the heads of closed pull requests, so a head alone opens a preview only when its number
 * is newer than all when previews were switched on. A preview whose head is gone ends.
 */
export function changesOfHeads(
  previews: readonly ExistingPreview[],
  heads: readonly PullHead[],
  since: number,
): PreviewChange[] {
  const byNumber = new Map(previews.map(each => [each.number, each]))
  const existing = new Set(heads.map(({ number }) => number))
  const gone = previews.filter(each => each.state === 'open' && each.head !== null && !existing.has(each.number))
  const changes = heads.flatMap(({ number, head }): PreviewChange[] => {
    const preview = byNumber.get(number)
    if (!preview) return number > since ? [{ kind: 'open', number, head }] : []
    return preview.state === 'open' && preview.head !== head ? [{ kind: 'move', number, head }] : []
  })
  return [...gone.map(({ number }) => ({ kind: 'close' as const, number, state: 'closed' as const })), ...changes]
}

/** Decides what the description of a pull request changes: nothing when a later one is known, or when it is for another branch. */
export function changeOfPull(
  preview: ExistingPreview | undefined,
  pull: Pick<PullRequest, 'number' | 'state' | 'target' | 'changedAt'>,
  branch: string,
): PreviewChange | 'nothing' | 'outdated' {
  const { number, state } = pull
  if (preview?.changedAt && preview.changedAt > pull.changedAt) return 'outdated'
  if (state !== 'open') return preview?.state === 'open' ? { kind: 'close', number, state } : 'nothing'
  if (pull.target !== branch) return preview?.state === 'open' ? { kind: 'close', number, state: 'closed' } : 'nothing'
  if (!preview) return { kind: 'open', number, head: null }
  return preview.state === 'open' ? 'nothing' : { kind: 'reopen', number, head: preview.head }
}

/** Previews that end because a complete list of open pull requests lacks them. A preview that is newer than the list is not in it. */
export function missingIn(previews: readonly ExistingPreview[], open: ReadonlySet<number>, newest: number): number[] {
  return previews
    .filter(each => each.state === 'open' && each.number <= newest && !open.has(each.number))
    .map(each => each.number)
}

/** The number up to which pull requests were there when previews were switched on. */
export function sinceOf({ since }: Pick<PreviewSettings, 'since'>, heads: readonly PullHead[]): number {
  return since ?? heads.reduce((highest, { number }) => Math.max(highest, number), 0)
}

/** Failures of an import that another one may not have. */
const passing: readonly string[] = ['unreachable', 'timeout', 'internal', 'gave_up', 'authentication_failed']
const retryPauseMs = 5 * 60_000

/** Whether the failed import of a preview is repeated with the next look at its branch. */
export function isRetried({ error, step, state, updatedAt }: GitPreviewRow, now: Date): boolean {
  const isOver = now.getTime() - updatedAt.getTime() >= retryPauseMs
  return state === 'open' && step === 'idle' && error !== null && passing.includes(error.code) && isOver
}

/** Whether whoever knows the address of a preview may read it. */
export function isOpenTo(
  { access, isRepositoryPublic }: Pick<PreviewSettings, 'access' | 'isRepositoryPublic'>,
  isPublicSite: boolean,
): boolean {
  return access === null ? isPublicSite && isRepositoryPublic === true : access === 'open'
}

/** The state of a preview, as the API shows it. */
export function presentedState({
  state,
  step,
  error,
  revision,
}: Pick<GitPreviewRow, 'state' | 'step' | 'error' | 'revision'>):
  'waiting' | 'importing' | 'checking' | 'ready' | 'failed' | 'closed' {
  if (state !== 'open') return 'closed'
  if (step === 'importing') return 'importing'
  if (step === 'check') return 'checking'
  if (step === 'import') return 'waiting'
  if (error) return 'failed'
  return revision === null ? 'waiting' : 'ready'
}
