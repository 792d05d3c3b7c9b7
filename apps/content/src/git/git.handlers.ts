import { git } from '@recto/contracts-git-worker'
import { createId, Failure, feature, type Input } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { seal } from './credentials.ts'
import type { GitOperationRow, GitOptions } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { commitAuthor } from './commit-author.ts'
import { splitRepositoryUrl } from './git-operations.rules.ts'
import * as syncs from './git-syncs.repository.ts'
import { presentOperation } from './present-operation.ts'
import { dispatchNext } from './queue.ts'

export const gitFeature = feature<BaseContext>()(git, {
  async importGitRepository({ params, body }, context) {
    const space = await requireSync(params.spaceId, context)
    await enqueue(newOperation(space, { direction: 'import', ...body }, context), context)
    return undefined
  },

  async exportToGitRepository({ params, body }, context) {
    const space = await requireSync(params.spaceId, context)
    const author = await commitAuthor(context.actor, space, context)
    const operation = newOperation(space, { direction: 'export', standalone: false, ...body }, context)
    await enqueue({ ...operation, options: { ...operation.options, author } }, context)
    return undefined
  },

  async deleteLegacyGitInstallation({ params }, context) {
    // There are no installations of that kind, so that it is deleted already.
    await requireSync(params.spaceId, context)
    return undefined
  },

  async getSpaceGitInfo({ params }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    if (!space.gitSync) throw new Failure('not_found', 'The space has not been synchronized with a repository')
    return space.gitSync
  },

  async listGitOperations({ params, query }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    const page = await operations.listOf(context.db, space.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentOperation) }
  },

  async getGitOperation({ params }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    return presentOperation(ofSpace(await operations.find(context.db, params.operationId), space))
  },

  async retryGitOperation({ params }, context) {
    const space = await requireSync(params.spaceId, context)
    const retried = await context.transaction(async tx => {
      await spaces.lock(tx, space.id)
      const failed = ofSpace(await operations.lock(tx, params.operationId), space)
      if (failed.state !== 'failure')
        throw new Failure('conflict', `Only a failed operation can be retried; this one is ${failed.state}`)
      if (failed.syncId !== null && !(await syncs.findById(tx, failed.syncId)))
        throw new Failure('conflict', 'The synchronisation that this operation belongs to has ended')
      // A retry of an export writes what main content is by then: other operations may have come in between.
      const { exported: _exported, ...options } = failed.options
      const reset = {
        state: 'queued',
        dispatched: false,
        stage: null,
        progress: null,
        attempts: 0,
        heartbeatAt: null,
      } as const
      await operations.update(tx, failed.id, {
        ...reset,
        options,
        error: null,
        warnings: [],
        startedAt: null,
        completedAt: null,
      })
      await dispatchNext(tx, space.id, { limit: context.gitOrganizationJobs, isOldest: false })
      return operations.find(tx, failed.id)
    })
    return presentOperation(ofSpace(retried, space))
  },
})

async function requireSync(spaceId: string, context: Context): Promise<SpaceRow> {
  const readable = await readableSpace(context, spaceId)
  requireWrite(readable, spaceCan.triggerGitSync)
  return readable.space
}

function ofSpace(operation: GitOperationRow | undefined, space: SpaceRow): GitOperationRow {
  if (operation?.spaceId !== space.id) throw new Failure('not_found', 'There is no such git operation')
  return operation
}

async function enqueue(operation: GitOperationRow, context: Context): Promise<void> {
  await context.transaction(async tx => {
    // First of all: the insert takes a shared lock on the space, and two of them could deadlock when dispatching.
    await spaces.lock(tx, operation.spaceId)
    await operations.insert(tx, operation)
    await dispatchNext(tx, operation.spaceId, { limit: context.gitOrganizationJobs, isOldest: false })
  })
  context.setLocation(`${context.publicUrl}/v1/spaces/${operation.spaceId}/git/operations/${operation.id}`)
}

type SyncRequest = { direction: GitOperationRow['direction'] } & (
  | Input<typeof git.importGitRepository>['body']
  | (Input<typeof git.exportToGitRepository>['body'] & { standalone: false })
)

function newOperation(space: SpaceRow, request: SyncRequest, context: Context): GitOperationRow {
  const { url: given, ref, timestamp, gitInfo, direction, ...options } = request
  const { url, credentials } = splitRepositoryUrl(given, 'url')
  const shown = {
    ...(gitInfo && {
      gitInfo: { ...gitInfo, ...(gitInfo.url && { url: splitRepositoryUrl(gitInfo.url, 'gitInfo.url').url }) },
    }),
    ...(options.repoTreeURL && { repoTreeURL: splitRepositoryUrl(options.repoTreeURL, 'repoTreeURL').url }),
    ...(options.repoCommitURL && { repoCommitURL: splitRepositoryUrl(options.repoCommitURL, 'repoCommitURL').url }),
  }
  const id = createId()
  const now = new Date()
  return {
    ...{ id, spaceId: space.id, organizationId: space.organizationId, syncId: null, direction },
    ...{ state: 'queued', dispatched: false, stage: null, progress: null },
    ...{ url, ref, credentials: credentials ? seal(credentials, id, context.encryptionKey) : null },
    options: JSON.parse(JSON.stringify({ ...options, ...shown })) as GitOptions,
    timestamp: timestamp === undefined ? now : new Date(timestamp),
    ...{ attempts: 0, heartbeatAt: null, startedAt: null, completedAt: null },
    ...{ createdBy: context.actor.userId, createdAt: now },
    ...{ revision: null, commit: null, isPartial: false, error: null, warnings: [] },
  }
}
