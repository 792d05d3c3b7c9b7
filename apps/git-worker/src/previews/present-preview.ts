import type { gitPreviews } from '@recto/contracts-git-worker'
import type { Output } from '@recto/operation'
import type { GitSpace } from '../spaces/git-spaces.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'
import type { GitStatusRow } from './git-status.entity.ts'
import { addressOf } from './preview-address.rules.ts'
import type { PreviewReport } from './preview-report.rules.ts'
import { isOpenTo, presentedState } from './pull-requests.rules.ts'

/** Presents the preview of a pull request, with the status of its newest commit. */
export function presentPreview(
  row: GitPreviewRow,
  { space, sync, status }: { space: GitSpace; sync: GitSyncRow | undefined; status: GitStatusRow | undefined },
): Output<typeof gitPreviews.getGitPreview> {
  const isPublicSite = space.publication?.isPublic === true
  const isOpen = sync?.previews ? isOpenTo(sync.previews, isPublicSite) : false
  const address = addressOf(row)
  const { id, number, title, url, head, commit, revision, error, report } = row
  return {
    object: 'git-preview',
    id,
    number,
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    state: presentedState(row),
    access: isOpen ? 'open' : 'members',
    ...(address !== undefined && { address }),
    ...(head !== null && { head }),
    ...(commit !== null && !error && { commit }),
    ...(revision !== null && { revision }),
    ...(error && { error }),
    ...(report && { report: presentReport(report) }),
    ...(status && { status: presentStatus(status) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function presentReport({ faults, ...report }: PreviewReport) {
  const items = faults.items.map(({ rule, severity, file, line, message }) => {
    return { rule, severity, path: file, ...(line !== undefined && { line }), message }
  })
  return { ...report, faults: { ...faults, items } }
}

function presentStatus({ commit, state, description, version, deliveredVersion, error }: GitStatusRow) {
  const delivered = deliveredVersion === version
  return { commit, state, description, delivered, ...(error !== null && !delivered && { error }) }
}
