import { roleForbids } from '@recto/actor'
import { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { Failure, feature, type Input } from '@recto/operation'
import { handOverPage } from '../git-hand-over/hand-over.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { requireRead, requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { acceptPush } from './accept-push.ts'
import { applyOperation } from './apply-operation.ts'
import { gitSpaceOf } from './git-space.ts'
import { knownBlobs } from './known-blobs.ts'
import { type Attempt, hold } from './repository-work.repository.ts'
import { storeBundle, storeSnapshot } from './store-snapshot.ts'

export const repositoryCallFeature = feature<BaseContext>()(gitContentCalls, {
  async findGitSpace({ body }, context) {
    return gitSpaceOf(await spaceFor(body, context))
  },

  async showGitRepository({ body: { spaceId, repository } }, { db }) {
    await spaces.showGitSync(db, spaceId, repository)
    return {}
  },

  async listKnownGitBlobs({ body }, context) {
    const { space, applied } = await begin(body, context)
    const blobs = applied ? [] : await knownBlobs(context.db, await revisionOf(space, undefined, context))
    return { space: gitSpaceOf(space), known: blobs, ...(applied && { applied }) }
  },

  acceptPush: ({ body }, context) => acceptPush(body, context),

  async openPush({ body }, context) {
    const { space, applied } = await begin(body, context)
    if (applied) return { space: gitSpaceOf(space), known: [], applied }
    const upload = await uploads.find(context.db, body.upload)
    const isOwn = upload?.createdBy === body.createdBy && upload.organizationId === space.organizationId
    if (!isOwn || upload.hash === null) return { space: gitSpaceOf(space), known: [] }
    await uploads.retain(context.db, upload.id)
    const blobs = await knownBlobs(context.db, await revisionOf(space, undefined, context))
    return { space: gitSpaceOf(space), pack: upload.hash, known: blobs }
  },

  async snapshotRevision({ body }, context) {
    const { space, applied } = await begin(body, context)
    const revision = await revisionOf(space, body.revision, context)
    const { blob, count } = body.documents
      ? await storeBundle(context, body.documents)
      : { blob: await storeSnapshot(context, revision, body.since), count: 0 }
    return { space: gitSpaceOf(space), revision: revision.id, blob, count, ...(applied && { applied }) }
  },

  async applyGitOperation({ body }, context) {
    const outcome = await applyOperation(body, context)
    return { outcome, space: gitSpaceOf(await existingSpace(body.spaceId, context)) }
  },

  async handOverGit({ body: { table, after } }, { db, transaction }) {
    return { rows: await handOverPage({ db, transaction }, table, after) }
  },
})

type SpaceRequest = Input<typeof gitContentCalls.findGitSpace>['body']

/** The space, when the actor may use git on it in this way; any space without an actor. */
async function spaceFor({ spaceId, actor, use }: SpaceRequest, context: BaseContext): Promise<SpaceRow> {
  if (!actor) return existingSpace(spaceId, context)
  const readable = requireRead(actor, await spaces.findWithAcl(context.db, spaceId, actor))
  if (use === 'manage' && !spaceCan.triggerGitSync(readable.role)) throw roleForbids(readable.role)
  if (use === 'change') requireWrite(readable, spaceCan.triggerGitSync)
  return readable.space
}

/** Protects the space and stored content of an attempt from deletion. */
async function begin(attempt: Attempt, context: BaseContext) {
  const space = await existingSpace(attempt.spaceId, context)
  const { outcome } = await context.transaction(tx => hold(tx, attempt))
  return { space, applied: outcome }
}

async function existingSpace(id: string, { db }: Pick<BaseContext, 'db'>): Promise<SpaceRow> {
  const space = await spaces.find(db, id)
  if (!space) throw new Failure('not_found', 'There is no such space')
  return space
}

async function revisionOf(
  space: SpaceRow,
  id: string | undefined,
  { db }: Pick<BaseContext, 'db'>,
): Promise<RevisionRow> {
  const revision = await revisions.find(db, id ?? space.revision)
  if (revision?.spaceId !== space.id) throw new Failure('not_found', 'There is no such revision of the space')
  return revision
}
