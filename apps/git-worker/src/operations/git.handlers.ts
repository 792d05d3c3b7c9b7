import { git } from '@recto/contracts-git-worker'
import { createId, Failure, feature, type Input } from '@recto/operation'
import { dispatchNext } from '../queue/queue.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { seal } from '../shared/credentials.ts'
import { requireGitSpace } from '../spaces/git-spaces.ts'
import { lockSpace } from '../spaces/space-lock.repository.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import type { GitOperationRow, GitOptions } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { commitAuthor } from './commit-author.ts'
import { splitRepositoryUrl } from './git-operations.rules.ts'
import { insertOperation, recordStart } from './operation-records.ts'
import { presentLatest, presentOperation } from './present-operation.ts'

export const gitFeature = feature<BaseContext>()(git, {
  async importGitRepository({ params: { spaceId }, body }, context) {
    const { organizationId } = await requireGitSpace(spaceId, 'change', context)
    await enqueue(newOperation({ spaceId, organizationId }, { direction: 'import', ...body }, context), context)
    return undefined
  },

  async exportToGitRepository({ params: { spaceId }, body }, context) {
    const space = await requireGitSpace(spaceId, 'change', context)
    const author = await commitAuthor(context.actor, space, context)
    const { organizationId } = space
    const request = { direction: 'export' as const, ...body }
    const operation = newOperation({ spaceId, organizationId }, request, context)
    await enqueue({ ...operation, options: { ...operation.options, author } }, context)
    return undefined
  },

  async pushToSpace({ params: { spaceId }, body }, context) {
    const { upload, commit, base, message, changeRequest, force, repoProjectDirectory } = body
    const { subject, id } = { subject: undefined, id: undefined, ...changeRequest }
    const target = { ...(base !== undefined && { base }), ...(subject !== undefined && { subject }) }
    const accepted = await context.content.acceptPush({
      body: { spaceId, actor: context.actor, upload, force, ...target, ...(id !== undefined && { changeRequest: id }) },
    })
    const folder = { upload, commit, ...target, ...(message !== undefined && { message }) }
    const options: GitOptions = {
      force,
      // As a standalone import, it is no synchronisation with a repository.
      standalone: true,
      push: folder,
      ...(accepted.changeRequest !== undefined && { changeRequest: accepted.changeRequest }),
      ...(repoProjectDirectory !== undefined && { repoProjectDirectory }),
    }
    const place = { spaceId, organizationId: accepted.organizationId }
    const operation = queuedOperation(place, { direction: 'import', url: '', ref: '', options }, context)
    await enqueue(operation, context)
    return presentOperation(ofSpace(await operations.find(context.db, operation.id), spaceId))
  },

  async deleteLegacyGitInstallation({ params }, context) {
    // Legacy installations do not exist, so there is nothing to delete.
    await requireGitSpace(params.spaceId, 'change', context)
    return undefined
  },

  async getSpaceGitInfo({ params }, context) {
    const { repository } = await requireGitSpace(params.spaceId, 'read', context)
    if (!repository) throw new Failure('not_found', 'The space has not been synchronized with a repository')
    const latest = await operations.findLatest(context.db, params.spaceId)
    const operation = latest && presentLatest(latest)
    return { ...repository, ...(operation && { operation, operationTimeout: context.operationTimeout }) }
  },

  async listGitOperations({ params: { spaceId }, query }, context) {
    await requireGitSpace(spaceId, 'read', context)
    const page = await operations.listOf(context.db, spaceId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentOperation) }
  },

  async getGitOperation({ params: { spaceId, operationId } }, context) {
    await requireGitSpace(spaceId, 'read', context)
    return presentOperation(ofSpace(await operations.find(context.db, operationId), spaceId))
  },

  async retryGitOperation({ params: { spaceId, operationId } }, context) {
    await requireGitSpace(spaceId, 'change', context)
    const operation = await context.transaction(async tx => {
      await lockSpace(tx, spaceId)
      const failedOperation = ofSpace(await operations.lock(tx, operationId), spaceId)
      if (failedOperation.state !== 'failure')
        throw new Failure('conflict', `Only a failed operation can be retried; this one is ${failedOperation.state}`)
      if (failedOperation.syncId !== null && !(await syncs.findById(tx, failedOperation.syncId)))
        throw new Failure('conflict', 'The synchronisation that this operation belongs to has ended')
      // A retry of an export writes the current main content: other operations may have run in between.
      const { exported: _exported, ...options } = failedOperation.options
      const reset = {
        state: 'queued',
        dispatched: false,
        stage: null,
        progress: null,
        attempts: 0,
        heartbeatAt: null,
      } as const
      await operations.update(tx, failedOperation.id, {
        ...reset,
        options,
        error: null,
        warnings: [],
        startedAt: null,
        completedAt: null,
      })
      recordStart(tx, failedOperation, { isRetry: true })
      await dispatchNext(tx, spaceId, { limit: context.gitOrganizationJobs, isOldest: false })
      return operations.find(tx, failedOperation.id)
    })
    return presentOperation(ofSpace(operation, spaceId))
  },
})

function ofSpace(operation: GitOperationRow | undefined, spaceId: string): GitOperationRow {
  if (operation?.spaceId !== spaceId) throw new Failure('not_found', 'There is no such git operation')
  return operation
}

async function enqueue(operation: GitOperationRow, context: Context): Promise<void> {
  await context.transaction(async tx => {
    await lockSpace(tx, operation.spaceId)
    await insertOperation(tx, operation)
    await dispatchNext(tx, operation.spaceId, { limit: context.gitOrganizationJobs, isOldest: false })
  })
  context.setLocation(`${context.publicUrl}/v1/spaces/${operation.spaceId}/git/operations/${operation.id}`)
}

type OperationRequest = { direction: GitOperationRow['direction'] } & (
  Input<typeof git.importGitRepository>['body'] | Input<typeof git.exportToGitRepository>['body']
)

function newOperation(
  space: Pick<GitOperationRow, 'spaceId' | 'organizationId'>,
  request: OperationRequest,
  context: Context,
): GitOperationRow {
  const { url: requestUrl, ref, timestamp, gitInfo, direction, ...options } = request
  const { url, credentials } = splitRepositoryUrl(requestUrl, 'url')
  const publicUrls = {
    ...(gitInfo && {
      gitInfo: { ...gitInfo, ...(gitInfo.url && { url: splitRepositoryUrl(gitInfo.url, 'gitInfo.url').url }) },
    }),
    ...(options.repoTreeURL && { repoTreeURL: splitRepositoryUrl(options.repoTreeURL, 'repoTreeURL').url }),
    ...(options.repoCommitURL && { repoCommitURL: splitRepositoryUrl(options.repoCommitURL, 'repoCommitURL').url }),
  }
  const operation = queuedOperation(
    space,
    { direction, url, ref, options: JSON.parse(JSON.stringify({ ...options, ...publicUrls })) as GitOptions },
    context,
  )
  return {
    ...operation,
    credentials: credentials ? seal(credentials, operation.id, context.encryptionKey) : null,
    ...(timestamp !== undefined && { timestamp: new Date(timestamp) }),
  }
}

/** A requested operation that waits for its turn. */
function queuedOperation(
  space: Pick<GitOperationRow, 'spaceId' | 'organizationId'>,
  fields: Pick<GitOperationRow, 'direction' | 'url' | 'ref' | 'options'>,
  { actor }: Pick<Context, 'actor'>,
): GitOperationRow {
  const now = new Date()
  return {
    id: createId(),
    ...space,
    ...fields,
    syncId: null,
    state: 'queued',
    dispatched: false,
    stage: null,
    progress: null,
    credentials: null,
    timestamp: now,
    attempts: 0,
    leases: 0,
    heartbeatAt: null,
    startedAt: null,
    completedAt: null,
    createdBy: actor.userId,
    createdAt: now,
    revision: null,
    commit: null,
    isPartial: false,
    error: null,
    warnings: [],
  }
}
