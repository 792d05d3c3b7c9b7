import { join } from 'node:path'
import type { ExportManifest } from '@recto/contracts-git-worker-bus'
import type { Outgoing } from '@recto/outgoing'
import type { z } from 'zod'
import { ImportFailure, truncateMiddle, type Warning } from '../failures/import-failure.ts'
import type { Limits } from '../failures/limits.ts'
import { type Content, type ContentState, recordsOf } from './export-content.ts'
import { planExport, type ExportPlan } from './plan-export.ts'
import { folderChanges } from './tree-entries.ts'
import type { Blobs } from '../files/blob-uploader.ts'
import type { Clone, CloneCache } from '../clones/clone-cache.ts'
import { findCommonBase } from './common-base.ts'
import type { Source } from '../remote/discover.ts'
import type { OnProgress } from '../imports/import-commit.ts'
import { contentReader, LoadedContent, type ReadableBlobs } from './load-content.ts'
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
  /** Records a commit before it is pushed, since the answer of the server can be lost. */
  recordPush(push: { commit: string; isPartial: boolean; manifest: string }): Promise<void>
}

/** The commit that has the content now, and the blob that says where. */
export interface Exported {
  commit: { oid: string; message: string; createdByService: boolean }
  isPartial: boolean
  manifest: string
  /** Parts of the content that the commit does not have. */
  warnings: Warning[]
  /** The revision that it built on, where that is not the last synchronisation with the address. */
  base?: { revision: string; isPartial: boolean }
}

/** Characters of a commit message that are kept. */
const maxMessageLength = 10_000

/** Starts from the tip, in case the branch moves meanwhile. */
const maxStarts = 3

/** Writes content to a branch, in one commit with what changed, or in none. Throws `ImportFailure`. */
export function exportRepository(request: ExportRequest, tools: ExportTools): Promise<Exported> {
  return tools.cache.use(request, async clone => {
    tools.signal.throwIfAborted()
    const objects = await LooseObjects.open(clone.exportFolder)
    try {
      const { content } = request.export
      const loaded = new LoadedContent(content, { reader: contentReader(tools.blobs, tools.bundle), objects })
      tools.onProgress('content_process', { done: 0, total: 0 })
      await loaded.loadChanged((done, total) => tools.onProgress('content_process', { done, total }))
      for (let start = 1; start <= maxStarts; start++) {
        const exported = await exportOnto({
          request,
          tools,
          clone,
          objects,
          content,
          loaded,
          isLast: start === maxStarts,
        })
        if (exported) return exported
      }
      throw new ImportFailure('push_rejected', `The branch moved ${maxStarts} times while its content was exported`)
    } finally {
      await objects.remove()
    }
  })
}

interface Start {
  request: ExportRequest
  tools: ExportTools
  clone: Clone
  objects: LooseObjects
  content: Content
  loaded: LoadedContent
  isLast: boolean
}

/** Exports onto the tip as it is now; undefined when the branch moved meanwhile. */
async function exportOnto(start: Start): Promise<Exported | undefined> {
  const { request, tools, clone } = start
  const { outgoing, limits, signal, onProgress } = tools
  onProgress('repo_fetch', { done: 0, total: 0 })
  const onBytes = (bytes: number) => onProgress('repo_fetch', { done: bytes, total: bytes })
  const prepared = await useExportBase(
    { clone, outgoing, source: request, ref: request.ref, limits, signal, onBytes },
    base => prepare(start, base),
  )
  const { oid, from } = prepared
  const exported = await describe(start, prepared)
  if (oid === from) return exported
  const { isPartial, manifest } = exported
  await tools.recordPush({ commit: oid, isPartial, manifest })
  return (await push(start, prepared)) === 'moved' ? undefined : exported
}

/** Content with the base that the branch has. */
interface BasedContent {
  content: Content
  /** The synchronisation that is its base, where that is not the last one with the address. */
  basedOn?: NonNullable<Exported['base']>
}

/** A commit that is written, but not pushed yet. */
interface Prepared extends Written, BasedContent {
  plan: ExportPlan
  commit: TipCommit | undefined
  tipFiles: ReadonlyMap<string, string>
  /** Where the branch is; undefined when it does not exist. */
  from: string | undefined
}

async function prepare(start: Start, base: ExportBase | undefined): Promise<Prepared> {
  const { request, tools, loaded } = start
  const { limits, signal } = tools
  const isOfBranch = base?.isOfBranch === true
  const read = { projectDirectory: request.projectDirectory, limits, signal }
  const { tip, commit } = await readTip(
    { store: base?.store, missing: base?.missing ?? nothingMissing },
    base?.oid,
    read,
  )
  const { content, ...based } = await withBase(start, { base, root: tip.configuration.root })
  const plan = planExport({
    ...{ content, tip, force: request.force, limits, referenced: loaded.referenced },
    ...{ oidOf: loaded.oidOf, titleOf: loaded.titleOf },
  })
  tools.onProgress('finalize', { done: 0, total: 1 })
  const written = await writeCommit(start, { plan, base, commit, files: tip.files })
  return { ...written, ...based, content, plan, commit, tipFiles: tip.files, from: isOfBranch ? base.oid : undefined }
}

/** The content with its base: a push whose answer was lost, a commit that both sides know, else the last synchronisation with the address. */
async function withBase(
  { content, tools }: Start,
  { base, root }: { base: ExportBase | undefined; root: string },
): Promise<BasedContent> {
  if (!base) return { content: { ...content, isSameBranch: false } }
  const pushed = base.isOfBranch ? await withPushedBase(content, base.store, base.oid) : undefined
  if (pushed) return { content: pushed }
  const { outgoing, signal, limits } = tools
  const candidates = content.candidates.filter(candidate => candidate.root === root)
  const common = await findCommonBase(candidates, {
    ...{ outgoing, signal, timeoutMs: limits.jobTimeoutMs },
    ...{ store: base.store, remote: base.remote, oid: base.oid },
  })
  // A branch that is not there has nothing that was synchronised with it, also where it was deleted since.
  if (!common) return { content: base.isOfBranch ? content : { ...content, isSameBranch: false } }
  const state = await tools.describeBase(common.revision)
  const isSameBranch = base.isOfBranch && common.isSameBranch
  return {
    content: { ...content, base: state, isSameBranch },
    basedOn: { revision: common.revision, isPartial: common.isPartial },
  }
}

interface Written {
  oid: string
  /** The objects that the server lacks. */
  oids: string[]
}

async function writeCommit(
  { request, objects, loaded, content }: Start,
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
): Promise<Written> {
  const kinds = new Map(recordsOf(content.now).map(({ id, kind }) => [plan.paths.get(id), kind]))
  const writes = Array.from(plan.writes, ([path, write]) => ({ ...write, kind: kinds.get(path) ?? ('page' as const) }))
  const stored = new Set(files.values())
  await loaded.load(writes.filter(({ oid }) => !stored.has(oid)))
  const changes = new Map<string, string | null>()
  for (const path of plan.deletes) changes.set(path, null)
  for (const [path, { oid }] of plan.writes) changes.set(path, oid)
  for (const [path, text] of plan.texts) changes.set(path, await objects.write('blob', Buffer.from(text)))
  const trees = new TreeWriter(base?.store, objects)
  const tree = await trees.edit(commit?.tree, folderChanges(changes))
  if (commit && tree === commit.tree) return { oid: commit.oid, oids: [] }
  const { message, author, committer } = request.export
  const parent = commit ? [commit.oid] : []
  const oid = await objects.commit({ tree, parent, message, author, committer })
  const blobs = [...changes.values()].filter(each => each !== null && !stored.has(each)) as string[]
  return { oid, oids: [...new Set([oid, ...trees.written, ...blobs])] }
}

async function push(
  { request, tools, clone, objects, isLast }: Start,
  { oid, oids, from }: Prepared,
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

async function describe(
  { request, tools, loaded }: Start,
  { content, basedOn, plan, commit, oid, tipFiles }: Prepared,
): Promise<Exported> {
  const { message, committer } = request.export
  const isNew = oid !== commit?.oid
  const isOurs = isNew || commit.committer === `${committer.name} <${committer.email}>`
  const parent = isNew ? commit?.oid : commit.parents[0]
  const base = content.isSameBranch ? content.base?.commit : undefined
  const isComplete = (isOurs && (parent === undefined || parent === base)) || (!isNew && commit.oid === base)
  const records = recordsOf(content.now).flatMap(record => {
    const path = plan.paths.get(record.id)
    const own = loaded.oidOf(record)
    // A file that only the branch changed, or deleted, is not that of the content.
    const isThere = path !== undefined && own !== undefined && (plan.writes.has(path) || tipFiles.get(path) === own)
    return isThere ? [{ id: record.id, path, oid: own }] : []
  })
  const manifest: z.input<typeof ExportManifest> = {
    ...{ version: 1, configuration: plan.configuration, records, hasAllSettings: plan.hasAllSettings },
  }
  const { hash } = await tools.blobs.put(Buffer.from(JSON.stringify(manifest)))
  const shown = isNew ? message : truncateMiddle(commit.message, maxMessageLength)
  return {
    ...{ commit: { oid, message: shown, createdByService: isOurs }, isPartial: !isComplete },
    ...{ manifest: hash, warnings: plan.warnings },
    ...(basedOn && { base: basedOn }),
  }
}
