import { ExportManifest } from '@recto/contracts-git-worker-bus'
import type { Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import { advanceMain, writeRevision } from '../editing/write-revision.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { mapsOf, matchImport } from '../page-matching/import-maps.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { GitCommit, RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { type ApplyContext, applyOnce, type ApplyRequest, type Outcome } from './apply-once.ts'
import { applyPush } from './apply-push.ts'
import { isCommitOf } from './commit-of.rules.ts'
import { contentOf, deleteBundles, type Manifest, readManifest, storeDocuments } from './import-manifest.ts'
import { recordExport } from './record-export.ts'
import * as work from './repository-work.repository.ts'

/** Requests that this process works on. */
const running = new Map<string, Promise<Outcome>>()

/**
 * Applies an operation once: its changes and its outcome are one transaction. A later request gets the outcome of the first, also when it
 * arrives while the first is in progress.
 */
export async function applyOperation(request: ApplyRequest, context: ApplyContext): Promise<Outcome> {
  const key = `${request.operationId} ${request.lease}`
  const same = running.get(key)
  if (same) return same
  const applying = applyUnlessApplied(request, context).finally(() => running.delete(key))
  running.set(key, applying)
  return applying
}

async function applyUnlessApplied(request: ApplyRequest, context: ApplyContext): Promise<Outcome> {
  const outcomeOf = async () => (await context.transaction(tx => work.hold(tx, request))).outcome
  const outcome = await outcomeOf()
  if (outcome) return outcome
  return applyWork(request, context).catch(async (error: unknown) => {
    // Another process may have applied it, and deleted the blobs that this one was reading.
    const made = await outcomeOf()
    if (made) return made
    throw error
  })
}

function applyWork({ work: kindOfWork, ...request }: ApplyRequest, context: ApplyContext): Promise<Outcome> {
  if (kindOfWork.kind === 'import') return applyImport({ ...request, work: kindOfWork }, context)
  if (kindOfWork.kind === 'push') return applyPush({ ...request, work: kindOfWork }, context)
  return applyExport({ ...request, work: kindOfWork }, context)
}

async function applyImport(
  request: ApplyRequest & { work: Extract<ApplyRequest['work'], { kind: 'import' }> },
  context: ApplyContext,
): Promise<Outcome> {
  const manifest = await readManifest(context.blobs, request.manifest)
  await storeDocuments(context, manifest)
  const { onlyFrom, isStandalone } = request.work
  const outcome = await applyOnce(request, context, async (tx, space) => {
    const before = await existingRevision(tx, space.revision, space)
    if (onlyFrom !== undefined && onlyFrom !== before.id) {
      await markGarbage(tx, contentOf(manifest), new Date())
      return { state: 'skipped', revision: before.id, isPartial: false, warnings: [] }
    }
    const to = await writeImport(tx, manifest, { before, request })
    const { repository: gitSync } = request
    if (!isStandalone) await advanceMain(tx, space, { from: before.id, to, ...(gitSync && { gitSync }) })
    const { warnings } = manifest
    const main = isStandalone ? {} : { main: to }
    return { state: 'success', revision: to, commit: request.commit.oid, ...main, isPartial: false, warnings }
  })
  await deleteBundles(context.blobs, manifest)
  return outcome
}

/** Writes the revision of an import, and returns its id; returns main content when an export made the commit from it. */
async function writeImport(
  tx: Transaction,
  manifest: Manifest,
  { before, request: { commit, createdBy } }: { before: RevisionRow; request: ApplyRequest },
): Promise<string> {
  const { configuration, variables } = manifest
  if (isCommitOf(before, { oid: commit.oid, root: configuration.root })) return before.id
  const git = gitCommit(commit)
  const synchronisations = await revisions.listSynchronised(tx, before.spaceId)
  const ofBranch = synchronisations.find(isOfBranch({ ref: git.ref, root: configuration.root }))
  // The first import of another branch removes what the space has from the last one, but nothing that an export sent there.
  const lastImport = synchronisations.find(each => !each.git?.createdByService && !each.git?.isBase)
  const lastRevision = ofBranch ?? lastImport
  const last = lastRevision && {
    revision: lastRevision,
    hadAllSettings: ofBranch?.git?.hasAllSettings === true,
    kept: lastRevision.git?.kept ?? {},
  }
  const { hasAllSettings, kept, ...records } = await matchImport(tx, manifest, { before, last })
  const hasKept = Object.keys(kept).length > 0
  const nextGit = { ...git, ...(hasAllSettings && { hasAllSettings }), ...(hasKept && { kept }) }
  const maps = mapsOf(records)
  return writeRevision(tx, before, { maps, git: nextGit, configuration, variables, createdBy })
}

/**
 * Records the exported commit in a revision, and the repository on the space. The revision becomes main content; when that has moved on
 * since the export, it stays and the revision is kept as a base of later imports. A standalone export leaves the space as it is.
 */
async function applyExport(
  request: ApplyRequest & { work: Extract<ApplyRequest['work'], { kind: 'export' }> },
  context: ApplyContext,
): Promise<Outcome> {
  const manifest = ExportManifest.parse(JSON.parse((await context.blobs.bytes(request.manifest)).toString()))
  const { isPartial, isStandalone, warnings } = request.work
  return applyOnce(request, context, async (tx, space) => {
    const exportedRevision = await existingRevision(tx, request.work.revision, space)
    const { id } = exportedRevision
    if (isStandalone) return { state: 'success', revision: id, commit: request.commit.oid, isPartial, warnings }
    const isMain = space.revision === exportedRevision.id
    const git = {
      ...gitCommit(request.commit),
      ...(isPartial && { isPartial }),
      ...(manifest.hasAllSettings && { hasAllSettings: true }),
      ...(!isMain && { isBase: true }),
      ...(isPartial &&
        (await keptSince(tx, exportedRevision, { git: request.commit, root: manifest.configuration.root }))),
    }
    const revision = await recordExport(tx, exportedRevision, { manifest, git, createdBy: request.createdBy })
    const to = isMain ? revision : space.revision
    const { repository: gitSync } = request
    await advanceMain(tx, space, { from: space.revision, to, ...(gitSync && { gitSync }) })
    const main = isMain ? revision : exportedRevision.id
    return { state: 'success', revision, commit: request.commit.oid, main, isPartial, warnings }
  })
}

/** Whether a revision was synchronised with a folder of a branch. */
function isOfBranch({ ref, root }: { ref: string; root: string }) {
  return ({ git, configuration }: RevisionRow) => git?.ref === ref && configuration?.root === root
}

/** The settings that pages keep beyond the last commit: a partial export leaves files alone that the branch has changed since. */
async function keptSince(
  tx: Transaction,
  exported: RevisionRow,
  { git, root }: { git: Pick<GitCommit, 'ref'>; root: string },
): Promise<Pick<GitCommit, 'kept'>> {
  const last = (await revisions.listSynchronised(tx, exported.spaceId)).find(isOfBranch({ ref: git.ref, root }))
  if (!last?.git?.kept) return {}
  const lastPages = await loadPageIndex(tx, last)
  const pages = await loadPageIndex(tx, exported)
  const keptPages = Object.entries(last.git.kept).filter(
    ([id]) => lastPages.get(id)?.document === pages.get(id)?.document,
  )
  return keptPages.length === 0 ? {} : { kept: Object.fromEntries(keptPages) }
}

async function existingRevision(tx: Transaction, id: string, space: SpaceRow): Promise<RevisionRow> {
  const revision = await revisions.find(tx, id)
  if (revision?.spaceId !== space.id) throw new Failure('not_found', 'There is no such revision of the space')
  return revision
}

function gitCommit({ oid, message, ref, url, createdByService }: ApplyRequest['commit']): GitCommit {
  return { oid, message, ref, createdByService, ...(url !== undefined && { url }) }
}
