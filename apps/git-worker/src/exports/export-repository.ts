import { join } from 'node:path'
import type { ExportManifest } from '@recto/contracts-git-worker-bus'
import type { Outgoing } from '@recto/outgoing'
import type { z } from 'zod'
import { ImportFailure, truncateMiddle, type Warning, type Limits } from '@recto/repository-content'
import {
  LoadedContent,
  planExport,
  recordsOf,
  type Content,
  type ContentState,
  type ExportPlan,
} from '@recto/repository-export'
import { groupByFolder } from '@recto/git-pack'
import type { Blobs } from '../files/blob-uploader.ts'
import type { Clone, CloneCache } from '../clones/clone-cache.ts'
import { findCommonBase } from './common-base.ts'
import type { Source } from '../remote/discover.ts'
import type { OnProgress } from '../imports/import-commit.ts'
import { contentReader, type ReadableBlobs } from './load-content.ts'
import { LooseObjects, TreeWriter, type Person } from './loose-objects.ts'
import { nothingMissing } from '../clones/missing-files.ts'
import { pushCommit } from '../remote/push-commit.ts'
import { withPushedBase } from './pushed-base.ts'
import { readTip, type TipCommit } from './read-tip.ts'
import { type ExportBase, useExportBase } from '../clones/use-branch.ts'

/** The export to run, as content describes it. */
export interface ExportRequest extends Source {
  organizationId: string
  spaceId: string
  ref: string
  repoCacheID?: string | undefined
  projectDirectory?: string | undefined
  force: boolean
  export: { revision: string; content: Content; message: string; author: Person; committer: Person }
}

/** Dependencies and limits of an export. */
export interface ExportTools {
  outgoing: Outgoing
  cache: CloneCache
  blobs: ReadableBlobs & Blobs
  limits: Limits
  signal: AbortSignal
  onProgress: OnProgress
  /** Stores documents of the content as a bundle. */
  bundle(documents: string[]): Promise<{ bundle: string; count: number }>
  /** The content of a revision that the export builds on. */
  describeBase(revision: string): Promise<ContentState>
  /** Called with the changes that an export plans. */
  onPlan?(plan: ExportPlan): void
  /** Records a commit before it is pushed, since the server's reply can be lost. */
  recordPush(push: { commit: string; isPartial: boolean; manifest: string }): Promise<void>
}

/** The commit with the content, and the blob of its manifest. */
export interface ExportResult {
  commit: { oid: string; message: string; createdByService: boolean }
  isPartial: boolean
  manifest: string
  /** Parts of the content that the commit lacks. */
  warnings: Warning[]
  /** The revision that the export built on; absent for the last synchronisation with the address. */
  base?: { revision: string; isPartial: boolean }
}

/** Characters; a longer commit message is cut in the middle. */
const maxMessageLength = 10_000

/** An export starts again from the tip when the branch moved meanwhile. */
const maxTries = 3

/** Writes content to a branch, in one commit with what changed, or in none. Throws `ImportFailure`. */
export function exportRepository(request: ExportRequest, tools: ExportTools): Promise<ExportResult> {
  return tools.cache.use(request, async clone => {
    tools.signal.throwIfAborted()
    const objects = await LooseObjects.open(clone.exportFolder)
    try {
      const { content } = request.export
      const loaded = new LoadedContent(content, { reader: contentReader(tools.blobs, tools.bundle), objects })
      tools.onProgress('content_process', { done: 0, total: 0 })
      await loaded.loadChanged((done, total) => tools.onProgress('content_process', { done, total }))
      for (let count = 1; count <= maxTries; count++) {
        const result = await exportOnto({
          request,
          tools,
          clone,
          objects,
          content,
          loaded,
          isLast: count === maxTries,
        })
        if (result) return result
      }
      throw new ImportFailure('push_rejected', `The branch moved ${maxTries} times while its content was exported`)
    } finally {
      await objects.remove()
    }
  })
}

interface ExportRun {
  request: ExportRequest
  tools: ExportTools
  clone: Clone
  objects: LooseObjects
  content: Content
  loaded: LoadedContent
  isLast: boolean
}

/** Exports onto the tip as it is now; undefined when the branch moved meanwhile. */
async function exportOnto(run: ExportRun): Promise<ExportResult | undefined> {
  const { request, tools, clone } = run
  const { outgoing, limits, signal, onProgress } = tools
  onProgress('repo_fetch', { done: 0, total: 0 })
  const onBytes = (bytes: number) => onProgress('repo_fetch', { done: bytes, total: bytes })
  const preparedCommit = await useExportBase(
    { clone, outgoing, source: request, ref: request.ref, limits, signal, onBytes },
    base => prepareCommit(run, base),
  )
  const { oid, from } = preparedCommit
  const result = await describeResult(run, preparedCommit)
  if (oid === from) return result
  const { isPartial, manifest } = result
  await tools.recordPush({ commit: oid, isPartial, manifest })
  return (await push(run, preparedCommit)) === 'moved' ? undefined : result
}

/** Content with the base that the branch has. */
interface BasedContent {
  content: Content
  /** The synchronisation that is its base; absent for the last one with the address. */
  basedOn?: NonNullable<ExportResult['base']>
}

/** A commit that is written, but not pushed yet. */
interface PreparedCommit extends CommitObjects, BasedContent {
  plan: ExportPlan
  commit: TipCommit | undefined
  tipFiles: ReadonlyMap<string, string>
  /** The tip of the branch; undefined when it does not exist. */
  from: string | undefined
}

async function prepareCommit(run: ExportRun, base: ExportBase | undefined): Promise<PreparedCommit> {
  const { request, tools, loaded } = run
  const { limits, signal } = tools
  const isOfBranch = base?.isOfBranch === true
  const read = { projectDirectory: request.projectDirectory, limits, signal }
  const { tip, commit } = await readTip(
    { store: base?.store, missing: base?.missing ?? nothingMissing },
    base?.oid,
    read,
  )
  const { content, ...based } = await withBase(run, { base, root: tip.configuration.root })
  const plan = planExport({
    content,
    tip,
    force: request.force,
    limits,
    referenced: loaded.referenced,
    oidOf: loaded.oidOf,
    titleOf: loaded.titleOf,
  })
  tools.onPlan?.(plan)
  tools.onProgress('finalize', { done: 0, total: 1 })
  const commitObjects = await writeCommit(run, { plan, base, commit, files: tip.files })
  return {
    ...commitObjects,
    ...based,
    content,
    plan,
    commit,
    tipFiles: tip.files,
    from: isOfBranch ? base.oid : undefined,
  }
}

/** Chooses the base: a push whose reply was lost, a commit that both sides have, else the last synchronisation with the address. */
async function withBase(
  { content, tools }: ExportRun,
  { base, root }: { base: ExportBase | undefined; root: string },
): Promise<BasedContent> {
  if (!base) return { content: { ...content, isSameBranch: false } }
  const pushedContent = base.isOfBranch ? await withPushedBase(content, base.store, base.oid) : undefined
  if (pushedContent) return { content: pushedContent }
  const { outgoing, signal, limits } = tools
  const candidates = content.candidates.filter(candidate => candidate.root === root)
  const commonBase = await findCommonBase(candidates, {
    outgoing,
    signal,
    timeoutMs: limits.jobTimeoutMs,
    store: base.store,
    remote: base.remote,
    oid: base.oid,
  })
  // A missing branch shares nothing with the content, even if it was deleted after a synchronisation.
  if (!commonBase) return { content: base.isOfBranch ? content : { ...content, isSameBranch: false } }
  const state = await tools.describeBase(commonBase.revision)
  const isSameBranch = base.isOfBranch && commonBase.isSameBranch
  return {
    content: { ...content, base: state, isSameBranch },
    basedOn: { revision: commonBase.revision, isPartial: commonBase.isPartial },
  }
}

interface CommitObjects {
  oid: string
  /** The objects that the server lacks. */
  oids: string[]
}

async function writeCommit(
  { request, objects, loaded, content }: ExportRun,
  {
    plan,
    base,
    commit,
    files,
  }: {
    plan: ExportPlan
    base: ExportBase | undefined
    commit: TipCommit | undefined
    files: ReadonlyMap<string, string>
  },
): Promise<CommitObjects> {
  const kinds = new Map(recordsOf(content.now).map(({ id, kind }) => [plan.paths.get(id), kind]))
  const writes = Array.from(plan.writes, ([path, write]) => ({ ...write, kind: kinds.get(path) ?? ('page' as const) }))
  const storedOids = new Set(files.values())
  await loaded.load(writes.filter(({ oid }) => !storedOids.has(oid)))
  const changes = new Map<string, string | null>()
  for (const path of plan.deletes) changes.set(path, null)
  for (const [path, { oid }] of plan.writes) changes.set(path, oid)
  for (const [path, text] of plan.texts) changes.set(path, await objects.write('blob', Buffer.from(text)))
  const trees = new TreeWriter(base?.store, objects)
  const tree = await trees.edit(commit?.tree, groupByFolder(changes))
  if (commit && tree === commit.tree) return { oid: commit.oid, oids: [] }
  const { message, author, committer } = request.export
  const parent = commit ? [commit.oid] : []
  const oid = await objects.commit({ tree, parent, message, author, committer })
  const blobs = [...changes.values()].filter(each => each !== null && !storedOids.has(each)) as string[]
  return { oid, oids: [...new Set([oid, ...trees.writtenOids, ...blobs])] }
}

async function push(
  { request, tools, clone, objects, isLast }: ExportRun,
  { oid, oids, from }: PreparedCommit,
): Promise<'pushed' | 'moved'> {
  const { limits, signal, outgoing } = tools
  const pack = join(clone.exportFolder, 'push.pack')
  await objects.pack(pack, oids)
  const force = request.force && isLast
  const { ref } = request
  return pushCommit(outgoing, {
    source: request,
    ref,
    from,
    to: oid,
    pack,
    force,
    timeoutMs: limits.jobTimeoutMs,
    signal,
  })
}

async function describeResult(
  { request, tools, loaded }: ExportRun,
  { content, basedOn, plan, commit, oid, tipFiles }: PreparedCommit,
): Promise<ExportResult> {
  const { message, committer } = request.export
  const isNew = oid !== commit?.oid
  const isOurs = isNew || commit.committer === `${committer.name} <${committer.email}>`
  const parent = isNew ? commit?.oid : commit.parents[0]
  const base = content.isSameBranch ? content.base?.commit : undefined
  const isComplete = (isOurs && (parent === undefined || parent === base)) || (!isNew && commit.oid === base)
  const records = recordsOf(content.now).flatMap(record => {
    const path = plan.paths.get(record.id)
    const recordOid = loaded.oidOf(record)
    // A file that only the branch changed or deleted is not part of the manifest.
    const isInCommit =
      path !== undefined && recordOid !== undefined && (plan.writes.has(path) || tipFiles.get(path) === recordOid)
    return isInCommit ? [{ id: record.id, path, oid: recordOid }] : []
  })
  const manifest: z.input<typeof ExportManifest> = {
    version: 1,
    configuration: plan.configuration,
    records,
    hasAllSettings: plan.hasAllSettings,
  }
  const { hash } = await tools.blobs.put(Buffer.from(JSON.stringify(manifest)))
  const commitMessage = isNew ? message : truncateMiddle(commit.message, maxMessageLength)
  return {
    commit: { oid, message: commitMessage, createdByService: isOurs },
    isPartial: !isComplete,
    manifest: hash,
    warnings: plan.warnings,
    ...(basedOn && { base: basedOn }),
  }
}
