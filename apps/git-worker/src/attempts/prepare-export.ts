import { ExportManifest, RevisionSnapshot } from '@recto/contracts-git-worker-bus'
import { toFailure } from '@recto/operation'
import { isBelow } from '@recto/repository-format'
import type { z } from 'zod'
import { type Content, type ContentState, ExportContent } from '@recto/repository-export'
import { commitAuthorById } from '../operations/commit-author.ts'
import type { GitOperationRow, GitOptions } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { baseCandidates, commitMessageOf, openPushes } from '../operations/git-operations.rules.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import { syncMessage } from '../syncs/git-sync.rules.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { recordOutcome } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, Preparation } from './attempts.ts'
import { heldAttempt } from './held-attempt.ts'

type Snapshot = z.output<typeof RevisionSnapshot>
/** The fields by which content knows an attempt. */
type HeldAttempt = Pick<Attempt, 'operationId' | 'lease' | 'spaceId'>
type PushedState = NonNullable<Content['pushed']>[number]

/** Prepares an export: main content at its first attempt, the states that the branch may have, and the author of the commit. */
export async function prepareExport(attempt: Attempt, tools: AttemptTools): Promise<Preparation | undefined> {
  const { db, content } = tools
  const operation = await operations.find(db, attempt.operationId)
  if (!operation) return undefined
  const since = (await syncs.findOf(db, operation))?.syncedRevision
  const { exported } = operation.options
  const { space, revision, blob, applied } = await content.snapshotRevision({
    body: {
      ...heldAttempt(attempt, tools),
      ...(exported !== undefined && { revision: exported }),
      ...(since && { since }),
    },
  })
  if (applied) {
    await recordOutcome(attempt, { outcome: applied, space }, tools)
    return undefined
  }
  // All attempts write the revision of the first one.
  const options = { ...operation.options, exported: revision }
  const isHeld = await operations.updateLeased(db, { id: operation.id, attempt: attempt.attempt }, { options })
  if (!isHeld) return undefined
  const snapshot = await readSnapshot(blob, tools)
  const { hostname } = new URL(tools.publicUrl)
  const committer = { name: 'Recto', email: `recto@${hostname}` }
  return {
    organizationId: space.organizationId,
    known: [],
    export: {
      revision,
      committer,
      content: await contentOf(attempt, { operation, snapshot }, tools),
      ...(operation.syncId === null
        ? {
            message: commitMessageOf(options.commitMessage ?? '', snapshot.merged),
            author: options.author ?? committer,
          }
        : await signatureOf(operation, { snapshot, space }, tools)),
    },
  }
}

/** Message and author of the commit of a synchronisation: from its last merge, else from its last change. */
async function signatureOf(
  { options, createdBy }: GitOperationRow,
  { snapshot, space }: { snapshot: Snapshot; space: GitSpace },
  tools: AttemptTools,
): Promise<{ message: string; author: NonNullable<GitOptions['author']> }> {
  return {
    message: syncMessage(options.commitMessage, snapshot.merges),
    author: await commitAuthorById(snapshot.editor ?? createdBy, space, tools),
  }
}

async function contentOf(
  attempt: Attempt,
  { operation, snapshot }: { operation: GitOperationRow; snapshot: Snapshot },
  tools: AttemptTools,
): Promise<Content> {
  const last = await operations.lastSynchronised(tools.db, operation)
  const base = last?.revision ? await findSnapshot(attempt, last.revision, tools) : undefined
  const candidates = baseCandidates(snapshot.synchronised, {
    ref: operation.ref,
    last: last && base && { ref: last.ref, createdAt: base.createdAt },
  })
  const pushed = await pushedStates(attempt, { operation, last }, tools)
  return ExportContent.parse({
    version: 1,
    now: snapshot.state,
    ...(base && { base: { ...base.state, ...(last?.commit && { commit: last.commit }) } }),
    isSameBranch: last?.ref === operation.ref,
    candidates,
    ...(pushed.length > 0 && { pushed }),
  })
}

/** The states that the branch may have if its server took pushes whose replies were lost. */
async function pushedStates(
  attempt: Attempt,
  { operation, last }: { operation: GitOperationRow; last: GitOperationRow | undefined },
  tools: AttemptTools,
): Promise<PushedState[]> {
  const synchronised = last?.ref === operation.ref ? last.completedAt : null
  const states: PushedState[] = []
  for (const push of openPushes(await operations.pushesOf(tools.db, operation), synchronised)) {
    const snapshot = await findSnapshot(attempt, push.revision, tools)
    const manifest = await tools.blobs.bytes(push.manifest).catch(() => undefined)
    if (!snapshot || !manifest) continue
    const exportManifest = ExportManifest.parse(JSON.parse(manifest.toString()))
    // The content is not synchronised with a commit that has more than the content.
    states.push({
      ...withExportedPlaces(snapshot.state, exportManifest),
      settings: exportManifest.hasAllSettings ? 'all' : 'some',
      pushed: push.commit,
      ...(!push.isPartial && { commit: push.commit }),
    })
  }
  return states
}

/** Adds the paths and objects that an export wrote to the content of its revision. */
function withExportedPlaces(
  state: ContentState,
  { records, configuration: { root } }: z.output<typeof ExportManifest>,
): ContentState {
  const places = new Map(records.map(({ id, path, oid }) => [id, { path: belowRoot(path, root), oid }]))
  const withPlace = <T extends { id: string }>(record: T) => ({ ...record, ...places.get(record.id) })
  return {
    ...state,
    pages: state.pages.map(withPlace),
    files: state.files.map(withPlace),
    reusableContents: state.reusableContents.map(withPlace),
  }
}

function belowRoot(path: string, root: string): string {
  return root !== '' && isBelow(path, root) ? path.slice(root.length + 1) : path
}

/** Reads the revision of the space that an export builds on. */
export async function readState(attempt: HeldAttempt, revision: string, tools: AttemptTools): Promise<ContentState> {
  const { state, commit } = await snapshotOf(attempt, revision, tools)
  return { ...state, ...(commit !== undefined && { commit }) }
}

/** Stores as many of the documents, from the first on, as fit in a bundle. */
export async function storeBundle(
  attempt: HeldAttempt,
  { revision, documents }: { revision: string; documents: string[] },
  tools: AttemptTools,
): Promise<{ bundle: string; count: number }> {
  const body = { ...heldAttempt(attempt, tools), revision, documents }
  const { blob: bundle, count } = await tools.content.snapshotRevision({ body })
  return { bundle, count }
}

/** Reads the snapshot of a revision; undefined when the space has no such revision. */
async function findSnapshot(attempt: Attempt, revision: string, tools: AttemptTools): Promise<Snapshot | undefined> {
  return snapshotOf(attempt, revision, tools).catch((error: unknown) => {
    if (toFailure(error).code === 'not_found') return undefined
    throw error
  })
}

async function snapshotOf(attempt: HeldAttempt, revision: string, tools: AttemptTools): Promise<Snapshot> {
  const { blob } = await tools.content.snapshotRevision({ body: { ...heldAttempt(attempt, tools), revision } })
  return readSnapshot(blob, tools)
}

async function readSnapshot(hash: string, { blobs }: Pick<AttemptTools, 'blobs'>): Promise<Snapshot> {
  return RevisionSnapshot.parse(JSON.parse((await blobs.bytes(hash)).toString()))
}
