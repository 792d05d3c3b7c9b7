import { gitCalls, type GitCredentials } from '@recto/contracts-git-worker'
import { postpone, type Db, type Transaction } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import type { z } from 'zod'
import { advanceMain, writeRevision } from '../editing/write-revision.ts'
import { unseal } from './credentials.ts'
import type { GitOperationRow, GitOptions } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import {
  commitUrlOf,
  decideLease,
  gitSyncOf,
  isCommitOf,
  maxAttempts,
  requireLease,
  withPush,
} from './git-operations.rules.ts'
import { prepareExport } from './export-content.ts'
import { mustExportFirst } from './git-sync.rules.ts'
import * as syncs from './git-syncs.repository.ts'
import { credentialsOf } from './set-sync.ts'
import { bundleGitDocuments, describeGitBase, finishGitExport } from './git-export-calls.ts'
import { contentOf, deleteBundles, readManifest, storeDocuments } from './import-manifest.ts'
import { redeliverAfterSeconds, renewLease, withLease } from './lease.ts'
import { endOperation, requeue } from './queue.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { buildImportMaps } from '../page-matching/import-maps.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { GitCommit, RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'

const gaveUp = { code: 'gave_up' as const, message: `The worker did not finish in ${maxAttempts} attempts` }

export const gitCallFeature = feature<BaseContext>()(gitCalls, {
  async startGitOperation({ body }, context) {
    const now = new Date()
    const taken = await context.transaction(async tx => {
      // Prevents the sweep from freeing what the worker finds stored, until this operation ends.
      await lockContent(tx)
      const operation = await operations.lock(tx, body.operationId)
      const lease = operation ? decideLease(operation, now) : 'done'
      if (!operation || lease === 'done') return 'done'
      if (lease === 'take' && operation.syncId !== null && !(await syncs.findOf(tx, operation))) {
        await endOperation(tx, operation, { state: 'skipped' })
        return 'done'
      }
      if (lease === 'give-up') await endOperation(tx, operation, { state: 'failure', error: operation.error ?? gaveUp })
      if (lease !== 'take') return lease === 'busy' ? 'busy' : 'done'
      const attempts = operation.attempts + 1
      const options = await optionsOf(tx, operation)
      await operations.update(tx, operation.id, {
        state: 'running',
        ...{ attempts, options },
        heartbeatAt: now,
        startedAt: operation.startedAt ?? now,
        error: null,
      })
      await postpone(tx, operation.id, redeliverAfterSeconds)
      return { ...operation, attempts, options }
    })
    return typeof taken === 'string' ? { state: taken } : leasedWork(taken, context)
  },

  async returnGitOperation({ body }, { transaction }) {
    return transaction(async tx => {
      const operation = await operations.lock(tx, body.operationId)
      // A copy of a job that another worker runs is not wanted again.
      if (operation?.state === 'queued' && operation.dispatched) await requeue(tx, operation)
      return undefined
    })
  },

  async reportGitOperation({ body }, { db, transaction }) {
    const { operationId: id, attempt, stage, progress, pushing } = body
    const report = { stage, progress }
    if (!pushing) return { continue: await renewLease(db, { id, attempt }, report) }
    return transaction(async tx => {
      const operation = await operations.lock(tx, id)
      const options = operation && withPush(operation.options, { ...pushing, at: new Date().toISOString() })
      return { continue: await renewLease(tx, { id, attempt }, { ...report, ...(options && { options }) }) }
    })
  },

  async finishGitImport({ body }, context) {
    const operation = await operations.find(context.db, body.operationId)
    if (operation && hasEnded(operation)) return { revision: operation.revision }
    const { id } = requireLease(operation, body.attempt)
    const manifest = await readManifest(context.blobs, body.manifest)
    await withLease(context.db, { id, attempt: body.attempt }, () => storeDocuments(context, manifest))
    const revision = await context.transaction(async tx => {
      const held = requireLease(await operations.lock(tx, body.operationId), body.attempt)
      const space = await spaces.lock(tx, held.spaceId)
      const before = space && (await revisions.find(tx, space.revision))
      if (!space || !before) throw new Failure('internal', `The space of operation ${held.id} is gone`)
      const sync = await syncs.findOf(tx, held)
      if (sync && mustExportFirst(sync, before.id)) {
        await endOperation(tx, held, { state: 'skipped', revision: before.id, stage: 'finalize', progress: null })
        await markGarbage(tx, [{ kind: 'blob', hash: body.manifest }, ...contentOf(manifest)], new Date())
        return before.id
      }
      const { configuration, warnings } = manifest
      const url = commitUrlOf(held.options, body.commit.oid)
      const git = { ...body.commit, ...(url !== undefined && { url }), createdByService: false }
      const to = isCommitOf(before, { oid: git.oid, root: configuration.root })
        ? before.id
        : await writeImport(tx, manifest, { before, git, createdBy: held.createdBy })
      if (!held.options.standalone)
        await advanceMain(tx, held.spaceId, { from: before.id, to, gitSync: gitSyncOf(held, new Date()) })
      await endOperation(tx, held, {
        ...{ state: 'success', revision: to, commit: body.commit.oid, stage: 'finalize' },
        ...{ progress: null, warnings, error: null },
        ...(!held.options.standalone && { synchronised: { main: to } }),
      })
      await markGarbage(tx, [{ kind: 'blob', hash: body.manifest }], new Date())
      return to
    })
    await deleteBundles(context.blobs, manifest)
    return { revision }
  },

  bundleGitDocuments: ({ body }, context) => bundleGitDocuments(body, context),

  describeGitBase: ({ body }, context) => describeGitBase(body, context),

  finishGitExport: ({ body }, context) => finishGitExport(body, context),

  async failGitOperation({ body }, { transaction }) {
    return transaction(async tx => {
      const operation = await operations.lock(tx, body.operationId)
      if (operation?.state !== 'running' || operation.attempts !== body.attempt) return { retry: false }
      const { error, warnings } = body
      const retry = body.retry && operation.attempts < maxAttempts
      if (retry) await operations.update(tx, operation.id, { state: 'queued', heartbeatAt: null, error, warnings })
      else await endOperation(tx, operation, { state: 'failure', error, warnings })
      return { retry }
    })
  },
})

/** Writes the revision of an import, and returns its id. */
async function writeImport(
  tx: Transaction,
  manifest: Awaited<ReturnType<typeof readManifest>>,
  { before, git, createdBy }: { before: RevisionRow; git: GitCommit; createdBy: string },
): Promise<string> {
  const { configuration, variables } = manifest
  const synchronised = (await revisions.listSynchronised(tx, before.spaceId)).find(
    each => each.git?.ref === git.ref && each.configuration?.root === configuration.root,
  )
  const { maps, hasAllSettings } = await buildImportMaps(tx, manifest, { before, synchronised })
  const commit = hasAllSettings ? { ...git, hasAllSettings } : git
  return writeRevision(tx, before, { maps, git: commit, configuration, variables, createdBy })
}

/** The options of an attempt: the first one of an export decides which revision all of them write. */
async function optionsOf(tx: Transaction, { direction, spaceId, options }: GitOperationRow): Promise<GitOptions> {
  const space = direction === 'export' ? await spaces.find(tx, spaceId) : undefined
  return space ? { ...options, exported: options.exported ?? space.revision } : options
}

/** Whether an operation has ended as its worker reports it; one that gave way to changes of main content is skipped. */
function hasEnded(operation: GitOperationRow): operation is GitOperationRow & { revision: string } {
  return ['success', 'skipped'].includes(operation.state) && operation.revision !== null
}

async function credentialsFor(
  operation: GitOperationRow,
  { db, encryptionKey }: Pick<Context, 'db' | 'encryptionKey'>,
): Promise<z.output<typeof GitCredentials> | undefined> {
  const { id, credentials, syncId } = operation
  if (syncId === null) return credentials ? unseal(credentials, id, encryptionKey) : undefined
  const sync = await syncs.findOf(db, operation)
  return sync && credentialsOf(sync, encryptionKey)
}

async function leasedWork(
  operation: GitOperationRow,
  context: Pick<Context, 'db' | 'encryptionKey' | 'blobs' | 'publicUrl' | 'transaction' | 'people'>,
) {
  const { spaceId, url, ref, options, attempts, direction } = operation
  const { db } = context
  const space = await spaces.find(db, spaceId)
  const credentials = await credentialsFor(operation, context)
  return {
    state: 'run' as const,
    ...{ attempt: attempts, direction, spaceId, url, ref, force: options.force },
    organizationId: space?.organizationId ?? operation.organizationId,
    ...(credentials && { credentials }),
    ...(options.repoCacheID !== undefined && { repoCacheID: options.repoCacheID }),
    ...(options.repoProjectDirectory !== undefined && { projectDirectory: options.repoProjectDirectory }),
    known: direction === 'import' ? await knownBlobs(db, spaceId) : [],
    ...(direction === 'export' && (await prepareExport(operation, context))),
  }
}

/** The blobs of the space's main content; never those of other spaces, whose hashes must not reveal what they contain. */
async function knownBlobs(
  db: Db,
  spaceId: string,
): Promise<{ oid: string; hash: string; size: number; isDocument?: boolean }[]> {
  const space = await spaces.find(db, spaceId)
  const revision = space && (await revisions.find(db, space.revision))
  if (!revision) return []
  const [pages, files, reusable] = await Promise.all([
    loadPageIndex(db, revision),
    loadFileIndex(db, revision.filesRoot),
    loadReusableContents(db, revision.reusableRoot),
  ])
  const documents = [...pages.inOrder(), ...reusable].flatMap(({ git, document }) =>
    git && document ? [{ oid: git.oid, hash: document, size: 0, isDocument: true }] : [],
  )
  return [...documents, ...files.inOrder.flatMap(({ git, hash, size }) => (git ? [{ oid: git.oid, hash, size }] : []))]
}
