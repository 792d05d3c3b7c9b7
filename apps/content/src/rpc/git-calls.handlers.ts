import { gitCalls, type GitCredentials } from '@recto/contracts'
import { postpone, type Db } from '@recto/database'
import { createId, Failure, feature } from '@recto/operation'
import type { z } from 'zod'
import type { BaseContext, Context } from '../shared/context.ts'
import { holdStored, note } from '../store/garbage/garbage.repository.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import { filesOf, pagesOf, reusableOf } from '../pages/revision-index.ts'
import { isSameContent } from '../store/revisions/revisions.rules.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import { forgetBundles, mapsOf, readManifest, storeDocuments, type ImportedMaps } from '../pages/import-maps.ts'
import { unseal } from '../features/git/credentials.ts'
import type { GitOperationRow } from '../features/git/git-operation.entity.ts'
import * as operations from '../features/git/git-operations.repository.ts'
import { commitUrlOf, gitSyncOf, leaseLength, leaseOf, maxAttempts } from '../features/git/git-operations.rules.ts'
import { end } from '../features/git/queue.ts'

const gaveUp = { code: 'gave_up' as const, message: `The worker did not finish in ${maxAttempts} attempts` }
/** Seconds after a sign of life within which the job is not handed out again. */
const handOutAgain = (leaseLength * 2) / 1000

export const gitCallFeature = feature<BaseContext>()(gitCalls, {
  async startGitOperation({ body }, context) {
    const now = new Date()
    const taken = await context.transaction(async tx => {
      // From here on nothing is freed that the worker finds stored.
      await holdStored(tx)
      const operation = await operations.lock(tx, body.operationId)
      const lease = operation ? leaseOf(operation, now) : 'done'
      if (!operation || lease === 'done') return 'done'
      if (lease === 'give-up') await end(tx, operation, { state: 'failure', error: operation.error ?? gaveUp })
      if (lease !== 'take') return lease === 'busy' ? 'busy' : 'done'
      const attempts = operation.attempts + 1
      await operations.change(tx, operation.id, {
        state: 'running',
        attempts,
        heartbeatAt: now,
        startedAt: operation.startedAt ?? now,
        error: null,
      })
      await postpone(tx, operation.id, handOutAgain)
      return { ...operation, attempts }
    })
    return typeof taken === 'string' ? { state: taken } : workOf(taken, context)
  },

  async reportGitOperation({ body }, { db }) {
    const { operationId, attempt, stage, progress } = body
    const isHeld = await operations.changeHeld(
      db,
      { id: operationId, attempt },
      { stage, progress, heartbeatAt: new Date() },
    )
    if (!isHeld) return { continue: false }
    await postpone(db, operationId, handOutAgain)
    return { continue: true }
  },

  async finishGitImport({ body }, context) {
    const operation = await operations.find(context.db, body.operationId)
    if (operation?.state === 'success' && operation.revision !== null) return { revision: operation.revision }
    requireLease(operation, body.attempt)
    const manifest = await readManifest(context.blobs, body.manifest)
    await storeDocuments(context, manifest)
    const revision = await context.transaction(async tx => {
      const held = requireLease(await operations.lock(tx, body.operationId), body.attempt)
      const space = await spaces.lock(tx, held.spaceId)
      const before = space && (await revisions.find(tx, space.revision))
      if (!space || !before) throw new Failure('internal', `The space of operation ${held.id} is gone`)
      const { configuration, variables, warnings } = manifest
      const url = commitUrlOf(held.options, body.commit.oid)
      const git = { ...body.commit, ...(url !== undefined && { url }), createdByService: false, configuration }
      const next = newRevision(before, {
        maps: await mapsOf(tx, manifest, before),
        git,
        variables,
        createdBy: held.createdBy,
      })
      const id = await keep(tx, held, { before, ...next })
      await end(tx, held, {
        state: 'success',
        revision: id,
        commit: body.commit.oid,
        stage: 'finalize',
        progress: null,
        warnings,
        error: null,
      })
      await note(tx, [{ kind: 'blob', hash: body.manifest }], new Date())
      return id
    })
    await forgetBundles(context.blobs, manifest)
    return { revision }
  },

  async failGitOperation({ body }, { transaction }) {
    return transaction(async tx => {
      const operation = await operations.lock(tx, body.operationId)
      if (operation?.state !== 'running' || operation.attempts !== body.attempt) return { retry: false }
      const { error, warnings } = body
      const retry = body.retry && operation.attempts < maxAttempts
      if (retry) await operations.change(tx, operation.id, { state: 'queued', heartbeatAt: null, error, warnings })
      else await end(tx, operation, { state: 'failure', error, warnings })
      return { retry }
    })
  },
})

async function workOf(operation: GitOperationRow, { db, encryptionKey }: Pick<Context, 'db' | 'encryptionKey'>) {
  const { id, spaceId, url, ref, credentials, options, attempts } = operation
  return {
    state: 'run' as const,
    ...{ attempt: attempts, spaceId, url, ref, force: options.force },
    ...(credentials && { credentials: unseal<z.output<typeof GitCredentials>>(credentials, id, encryptionKey) }),
    ...(options.repoCacheID !== undefined && { repoCacheID: options.repoCacheID }),
    ...(options.repoProjectDirectory !== undefined && { projectDirectory: options.repoProjectDirectory }),
    known: await knownBlobs(db, spaceId),
  }
}

/** Blobs that the current content of the space holds; of no other space, so that a foreign hash gives nothing away. */
async function knownBlobs(
  db: Db,
  spaceId: string,
): Promise<{ oid: string; hash: string; size: number; isDocument?: boolean }[]> {
  const space = await spaces.find(db, spaceId)
  const revision = space && (await revisions.find(db, space.revision))
  if (!revision) return []
  const [pages, files, reusable] = await Promise.all([
    pagesOf(db, revision.pagesRoot),
    filesOf(db, revision.filesRoot),
    reusableOf(db, revision.reusableRoot),
  ])
  const documents = [...pages.inOrder(), ...reusable].flatMap(({ git, document }) =>
    git && document ? [{ oid: git.oid, hash: document, size: 0, isDocument: true }] : [],
  )
  return [...documents, ...files.inOrder.flatMap(({ git, hash, size }) => (git ? [{ oid: git.oid, hash, size }] : []))]
}

function requireLease(operation: GitOperationRow | undefined, attempt: number): GitOperationRow {
  if (operation?.state === 'running' && operation.attempts === attempt) return operation
  throw new Failure('conflict', 'Another attempt has this operation')
}

interface NewContent {
  maps: ImportedMaps
  git: NonNullable<RevisionRow['git']>
  variables: RevisionRow['variables']
  createdBy: string
}

function newRevision(
  before: RevisionRow,
  { maps, git, variables, createdBy }: NewContent,
): { revision: RevisionRow; nodes: ImportedMaps['nodes'] } {
  const { nodes, ...roots } = maps
  const revision = {
    id: createId(),
    spaceId: before.spaceId,
    type: 'edits' as const,
    parents: [before.id],
    ...roots,
    variables,
    git,
    createdBy,
    createdAt: new Date(),
  }
  return { revision, nodes }
}

/** Keeps a revision and moves main content to it; content that is there already makes no new one. */
async function keep(
  db: Db,
  operation: GitOperationRow,
  { before, revision, nodes }: { before: RevisionRow; revision: RevisionRow; nodes: ImportedMaps['nodes'] },
): Promise<string> {
  const same = isSameContent(before, revision)
  if (!same) {
    await revisions.insertNodes(db, nodes)
    await revisions.insert(db, revision)
  }
  const to = same ? before.id : revision.id
  if (operation.options.standalone) return to
  await spaces.moveRevision(db, operation.spaceId, { from: before.id, to, gitSync: gitSyncOf(operation, new Date()) })
  return to
}
