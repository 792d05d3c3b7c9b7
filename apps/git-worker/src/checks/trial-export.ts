import { ExportContent, type ContentState } from '@recto/repository-export'
import { exportRepository, type ExportRequest, type ExportTools } from '../exports/export-repository.ts'
import type { PreviewReport } from '../previews/preview-report.rules.ts'

/** Paths of a report on an export. */
const maxPaths = 20
const nobody = { name: 'Recto', email: '' }

/** An import whose content is exported again, without any effect on its repository. */
export interface Trial {
  source: Omit<ExportRequest, 'force' | 'export'>
  /** The imported commit and its content. */
  commit: string
  revision: string
  state: ContentState
}

/** Tools of a check; it stores nothing and pushes nothing. */
export type CheckTools = Omit<ExportTools, 'recordPush' | 'onPlan' | 'onProgress'>

/** The export would make a commit. */
class CommitPlanned extends Error {}

/**
 * Whether an export of what was imported from a commit would make another commit. The export ends before it pushes, and stores nothing.
 * Throws `ImportFailure` where it cannot be tried.
 */
export async function trialExport(
  { source, commit, revision, state }: Trial,
  tools: CheckTools,
): Promise<PreviewReport['roundTrip']> {
  const base = { ...state, commit }
  const content = ExportContent.parse({ version: 1, now: state, base, isSameBranch: true, candidates: [] })
  const paths: string[] = []
  const request = {
    ...source,
    force: false,
    export: { revision, content, message: 'Trial', author: nobody, committer: nobody },
  }
  try {
    await exportRepository(request, {
      ...tools,
      blobs: {
        bytes: hash => tools.blobs.bytes(hash),
        delete: hash => tools.blobs.delete(hash),
        put: async bytes => ({ hash: '', size: bytes.length }),
      },
      onProgress: () => undefined,
      onPlan: plan => void paths.push(...plan.writes.keys(), ...plan.texts.keys(), ...plan.deletes),
      recordPush: () => Promise.reject(new CommitPlanned('The export would make a commit')),
    })
    return { state: 'identical', paths: [] }
  } catch (error) {
    if (!(error instanceof CommitPlanned)) throw error
    return { state: 'different', paths: paths.toSorted().slice(0, maxPaths) }
  }
}
