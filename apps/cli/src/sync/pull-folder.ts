import { isDeepStrictEqual } from 'node:util'
import { defaultLimits, settingsPath, tagsPath, variablesPath } from '@recto/repository-content'
import {
  LoadedContent,
  planExport,
  recordsOf,
  type Content,
  type ExportPlan,
  type ExportTip,
} from '@recto/repository-export'
import { folderSource } from '../folders/folder-source.ts'
import { UsageFailure } from '../terminal/command.ts'
import { blobOid, folderTip, readFolderFiles, type FolderFiles } from './folder-tip.ts'
import { FolderWriter } from './folder-writer.ts'
import { planPull, type PullPlan } from './plan-pull.rules.ts'
import { filesOfRecords, withPulledPaths } from './pulled-paths.rules.ts'
import {
  currentBranch,
  findRevision,
  readRevision,
  revisionReader,
  type Branch,
  type SpaceAddress,
  type SpaceRevision,
} from './space-revision.ts'
import { parseState, type SyncState } from './sync-state.rules.ts'

/** A pull of a space into a folder. */
export interface PullRequest {
  address: SpaceAddress
  folder: string
  changeRequest: string | undefined
  /** Files that both sides changed become those of the space. */
  force: boolean
  onProgress(text: string): void
}

/** The files that a pull wrote and deleted; with conflicts, nothing but those. */
export interface PullResult {
  revision: string
  written: string[]
  deleted: string[]
  conflicts: string[]
  /** The folder of the state with the files of the folder that `force` replaced. */
  replaced?: string
  warnings: { path: string; message: string }[]
}

/** Pulls a space into a folder: all of what only the space changed, or nothing where both sides changed a file. */
export async function pullFolder(request: PullRequest): Promise<PullResult> {
  // The space is asked before a folder is made.
  const branch = await currentBranch(request.address, request.changeRequest)
  const writer = await FolderWriter.open(request.folder)
  try {
    return await pullInto(writer, branch, request)
  } finally {
    await writer.close()
  }
}

async function pullInto(writer: FolderWriter, branch: Branch, request: PullRequest): Promise<PullResult> {
  const { address, force, onProgress } = request
  const stateText = await writer.readState()
  const state = stateText === undefined ? undefined : readState(stateText, address)
  onProgress('Reading the folder')
  const folder = await readFolderFiles(await folderSource(request.folder))
  const tip = await folderTip(folder)
  onProgress('Reading the space')
  const revision = await readRevision(address, branch.revision)
  const content = await contentOf(revision, { state, tip, address })
  const reader = revisionReader(address, revision, folder)
  const loaded = new LoadedContent(content, { reader, objects: writer })
  await loaded.loadChanged((done, total) => onProgress(`Reading pages: ${done} of ${total}`))
  const { oidOf, titleOf, referenced } = loaded
  const owners = state
    ? undefined
    : filesOfRecords(recordsOf(content.now), { files: tip.files, root: tip.configuration.root })
  const plan = planExport({ content, tip, owners, force: false, limits: defaultLimits, oidOf, titleOf, referenced })
  const texts = new Map(Array.from(plan.texts, ([path, text]) => [path, Buffer.from(text)]))
  const pullPlan = planPull(sidesOf({ plan, tip, folder, state, loaded, content, texts }), { force })
  const result = { revision: revision.revision, written: [...pullPlan.writes.keys()], deleted: pullPlan.deletes }
  const { replaced } = pullPlan
  if (pullPlan.conflicts.length > 0)
    return { ...result, written: [], deleted: [], conflicts: pullPlan.conflicts, warnings: plan.warnings }
  await loadWrites(pullPlan, { plan, loaded, content, folder, writer, texts })
  onProgress('Writing files')
  const copies = replaced.length === 0 ? undefined : await writer.copyReplaced(replaced, new Date())
  await applyPlan(pullPlan, folder, writer)
  const nextState: SyncState = {
    version: 1,
    api: address.connection.url,
    space: address.space,
    revision: revision.revision,
    ...(branch.changeRequest && { changeRequest: branch.changeRequest }),
    files: Object.fromEntries(pullPlan.pulled),
    paths: Object.fromEntries(plan.paths),
  }
  if (!isDeepStrictEqual(nextState, state)) await writer.writeState(`${JSON.stringify(nextState, undefined, 1)}\n`)
  return { ...result, conflicts: [], warnings: plan.warnings, ...(copies !== undefined && { replaced: copies }) }
}

/** Reads the state of a folder. Throws `UsageFailure` for that of another space, or of none. */
function readState(text: string, { connection, space }: SpaceAddress): SyncState {
  const state = parseState(text)
  if (state.api !== connection.url || state.space !== space)
    throw new UsageFailure(`The folder is of the space ${state.space} at ${state.api}`)
  return state
}

/** The content of the pull, with the revision of the last one as its base. */
async function contentOf(
  revision: SpaceRevision,
  { state, tip, address }: { state: SyncState | undefined; tip: ExportTip; address: SpaceAddress },
): Promise<Content> {
  const base = state && (state.revision === revision.revision ? revision : await findRevision(address, state.revision))
  if (!state || !base) return { version: 1, now: revision, isSameBranch: false, candidates: [] }
  const { root } = tip.configuration
  const states = withPulledPaths({ now: revision, base, paths: state.paths, root })
  return { version: 1, ...states, isSameBranch: true, candidates: [] }
}

interface Planned {
  plan: ExportPlan
  tip: ExportTip
  folder: FolderFiles
  state: SyncState | undefined
  loaded: LoadedContent
  content: Content
  texts: ReadonlyMap<string, Buffer>
}

function sidesOf({ plan, tip, folder, state, loaded, content, texts }: Planned) {
  const current = new Map<string, string>()
  for (const record of recordsOf(content.now)) {
    const path = plan.paths.get(record.id)
    const oid = loaded.oidOf(record)
    if (path !== undefined && oid !== undefined) current.set(path, oid)
  }
  const { root, summary } = tip.configuration
  const structure = [tip.configurationPath, summary, variablesPath(root), tagsPath(root), settingsPath(root)]
  const writes = new Map(Array.from(plan.writes, ([path, { oid }]) => [path, oid]))
  for (const [path, bytes] of texts) writes.set(path, blobOid(bytes))
  return {
    folder: folder.oids,
    pulled: new Map(Object.entries(state?.files ?? {})),
    writes,
    deletes: plan.deletes,
    owned: new Set([...plan.paths.values(), ...structure]),
    current,
  }
}

/** Has the writer keep the bytes of all files that the pull writes. */
async function loadWrites(
  { writes }: PullPlan,
  { plan, loaded, content, folder, writer, texts }: Omit<Planned, 'tip' | 'state'> & { writer: FolderWriter },
): Promise<void> {
  const pathOf = new Map(Array.from(folder.oids, ([path, oid]) => [oid, path]))
  const kinds = new Map(recordsOf(content.now).map(({ id, kind }) => [plan.paths.get(id), kind]))
  const missing: Parameters<LoadedContent['load']>[0] = []
  for (const [path, oid] of writes) {
    const text = texts.get(path)
    const folderPath = pathOf.get(oid)
    if (text) await writer.write('blob', text)
    else if (folderPath !== undefined) await writer.write('blob', Buffer.from(await folder.source.read(folderPath)))
    else missing.push({ oid, hash: plan.writes.get(path)?.hash, kind: kinds.get(path) ?? 'page' })
  }
  await loaded.load(missing)
}

async function applyPlan({ writes, deletes }: PullPlan, { oids }: FolderFiles, writer: FolderWriter): Promise<void> {
  for (const path of deletes) await writer.delete(path, oids.get(path) ?? '')
  for (const [path, oid] of writes) await writer.place(path, oid, oids.get(path))
}
