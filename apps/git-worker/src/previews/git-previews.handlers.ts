import { gitPreviews } from '@recto/contracts-git-worker'
import { Failure, feature } from '@recto/operation'
import { codeQualityIssues } from '@recto/repository-check'
import type { BaseContext, Context } from '../shared/context.ts'
import { type GitSpace, requireGitSpace } from '../spaces/git-spaces.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import type { GitPreviewRow } from './git-preview.entity.ts'
import * as previews from './git-previews.repository.ts'
import * as statuses from './git-statuses.repository.ts'
import { presentPreview } from './present-preview.ts'

export const gitPreviewFeature = feature<BaseContext>()(gitPreviews, {
  async listGitPreviews({ params: { spaceId }, query }, context) {
    const space = await requireGitSpace(spaceId, 'read', context)
    const page = await previews.listOf(context.db, spaceId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await present(page.items, { spaceId, space }, context) }
  },

  async getGitPreview({ params: { spaceId, previewId } }, context) {
    const space = await requireGitSpace(spaceId, 'read', context)
    const [preview] = await present([await previewOf(spaceId, previewId, context)], { spaceId, space }, context)
    if (!preview) throw noPreview()
    return preview
  },

  async getGitPreviewCodeQuality({ params: { spaceId, previewId } }, context) {
    await requireGitSpace(spaceId, 'read', context)
    const { report, commit, head } = await previewOf(spaceId, previewId, context)
    if (!report || commit !== head) throw new Failure('not_found', 'The newest commit is not checked yet')
    return codeQualityIssues(report.faults.items)
  },
})

async function previewOf(spaceId: string, id: string, { db }: Pick<Context, 'db'>): Promise<GitPreviewRow> {
  const preview = await previews.find(db, id)
  if (preview?.spaceId !== spaceId || preview.state === 'ended') throw noPreview()
  return preview
}

function noPreview(): Failure {
  return new Failure('not_found', 'There is no such preview')
}

async function present(
  rows: GitPreviewRow[],
  { spaceId, space }: { spaceId: string; space: GitSpace },
  { db }: Pick<Context, 'db'>,
) {
  const sync = await syncs.find(db, spaceId)
  const byPreview = new Map((await statuses.findAll(db, rows)).map(status => [status.previewId, status]))
  return rows.map(row => presentPreview(row, { space, sync, status: byPreview.get(row.id) }))
}
