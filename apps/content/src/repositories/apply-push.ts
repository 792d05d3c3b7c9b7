import type { pushRefusals } from '@recto/contracts-git-worker-bus'
import type { Transaction } from '@recto/database'
import { toFailure } from '@recto/operation'
import { recordCreated } from '../change-requests/change-request-records.ts'
import { countsAfter, newChangeRequest } from '../change-requests/change-requests.rules.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { changeRequestWriter } from '../editing/change-request-writer.ts'
import { mainContentWriter, type WritableContent } from '../editing/content-writer.ts'
import { writeRevision } from '../editing/write-revision.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import { asEdits } from '../page-matching/edited-records.ts'
import { mapsOf, matchImport } from '../page-matching/import-maps.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { type ApplyContext, applyOnce, type ApplyRequest, type Outcome } from './apply-once.ts'
import { contentOf, deleteBundles, type Manifest, readManifest, storeDocuments } from './import-manifest.ts'
import { type ReplacedContent, revisionToReplace } from './push-base.rules.ts'
import { contentMoved, newChangeRequestContent } from './push-content.ts'
import { rebaseManifest } from './rebase-manifest.rules.ts'

type PushRequest = ApplyRequest & { work: Extract<ApplyRequest['work'], { kind: 'push' }> }

/** The content takes the push no more. It changes nothing, and may be tried again. */
class PushRefusal extends Error {
  readonly code: (typeof pushRefusals)[number]

  constructor(code: PushRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Replaces main content or that of a change request by a folder. Only what differs changes, as by edits: the revision has no commit, so that
 * synchronisations of the space with a repository do not take the folder for a state of it.
 */
export async function applyPush(request: PushRequest, context: ApplyContext): Promise<Outcome> {
  const manifest = await readManifest(context.blobs, request.manifest)
  await storeDocuments(context, manifest)
  const apply = () =>
    applyOnce(request, context, async (tx, space) => {
      const target = await openTarget(tx, space, request)
      const before = target.revision
      const to = await writePush(tx, manifest, { before, createdBy: request.createdBy })
      await target.advance(to)
      await uploads.release(tx, request.work.upload)
      const { changeRequest } = target
      const { warnings } = manifest
      const { oid: commit } = request.commit
      return {
        state: 'success',
        revision: to,
        commit,
        isPartial: false,
        warnings,
        ...(changeRequest && { changeRequest }),
      }
    })
  const outcome = await apply().catch((error: unknown) => {
    if (error instanceof PushRefusal) return refuse(request, { manifest, refusal: error }, context)
    throw error
  })
  await deleteBundles(context.blobs, manifest)
  return outcome
}

type Target = Pick<WritableContent, 'revision' | 'advance'> & { changeRequest?: string }

/** Locks the content that a push replaces, by the rules of work that a user was allowed to start. Throws `PushRefusal`. */
async function openTarget(tx: Transaction, space: SpaceRow, { work, createdBy }: PushRequest): Promise<Target> {
  const { id: spaceId } = space
  const { changeRequest: changeRequestId } = work
  if (changeRequestId !== undefined) {
    const branch = await orRefuse(changeRequestWriter.lockFor(tx, { spaceId, changeRequestId }, createdBy))
    const { id: revision } = branch.revision
    requireBase({ kind: 'change-request', revision, mainAtUpdate: branch.base ?? revision }, work)
    return { ...branch, changeRequest: changeRequestId }
  }
  if (work.subject !== undefined) return createTarget(tx, space, { work, createdBy, subject: work.subject })
  const branch = await orRefuse(mainContentWriter.lockFor(tx, { spaceId }, createdBy))
  requireBase({ kind: 'main', main: branch.revision.id }, work)
  return branch
}

/** Creates the change request of a push, which starts at the main content that the folder was read from. */
async function createTarget(
  tx: Transaction,
  space: SpaceRow,
  { work, createdBy, subject }: Pick<PushRequest, 'work' | 'createdBy'> & { subject: string },
): Promise<Target> {
  if (space.deletedAt) throw new PushRefusal('content_closed', 'The space is deleted')
  const revision = requireBase(await newChangeRequestContent(tx, space, work.base), work)
  const changeRequest = newChangeRequest({ ...space, revision }, { subject, createdBy })
  await changeRequests.insert(tx, changeRequest)
  await spaces.updateCounts(tx, space.id, countsAfter(space, { to: changeRequest.status }))
  recordCreated(tx, { space, changeRequest })
  const params = { spaceId: space.id, changeRequestId: changeRequest.id }
  return { ...(await changeRequestWriter.lockFor(tx, params, createdBy)), changeRequest: changeRequest.id }
}

/** Returns the revision that a push replaces; throws `PushRefusal` when the folder was read from another one. */
function requireBase(content: ReplacedContent, work: PushRequest['work']): string {
  const revision = revisionToReplace(content, work)
  if (revision === undefined) throw new PushRefusal('content_moved', contentMoved)
  return revision
}

/** The locked content; throws `PushRefusal` when it is gone or takes no changes. */
async function orRefuse(locking: Promise<WritableContent>): Promise<WritableContent> {
  try {
    return await locking
  } catch (error) {
    const { code, message } = toFailure(error)
    if (code === 'conflict' || code === 'not_found') throw new PushRefusal('content_closed', message)
    throw error
  }
}

/** Writes the revision of a push and returns its id; that of `before` when nothing differs. */
async function writePush(
  tx: Transaction,
  manifest: Manifest,
  { before, createdBy }: { before: RevisionRow; createdBy: string },
): Promise<string> {
  // A space that was in a repository keeps its folder there, whatever folder it was read into.
  const rebasedManifest = before.configuration ? rebaseManifest(manifest, before.configuration.root) : manifest
  const { configuration, variables } = rebasedManifest
  // The folder says all settings: one that it lacks was removed.
  const last = { revision: before, hadAllSettings: true, kept: {} }
  const records = await matchImport(tx, rebasedManifest, { before, last })
  const pages = await loadPageIndex(tx, before)
  const files = await loadFileIndex(tx, before.filesRoot)
  const reusable = await loadReusableContents(tx, before.reusableRoot)
  const earlierRecords = { pages, files, reusable: new Map(reusable.map(record => [record.id, record])) }
  const maps = mapsOf(asEdits(records, earlierRecords, new Date().toISOString()))
  return writeRevision(tx, before, { maps, git: null, configuration, variables, createdBy })
}

/** The outcome of a push that changed nothing; what the worker stored for it is freed. */
async function refuse(
  { spaceId }: PushRequest,
  { manifest, refusal: { code, message } }: { manifest: Manifest; refusal: PushRefusal },
  { transaction }: ApplyContext,
): Promise<Outcome> {
  const space = await transaction(async tx => {
    await markGarbage(tx, contentOf(manifest), new Date())
    return spaces.find(tx, spaceId)
  })
  return {
    state: 'failure',
    revision: space?.revision ?? '',
    error: { code, message },
    isPartial: false,
    warnings: manifest.warnings,
  }
}
