import { openAsBlob } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Output } from '@recto/operation'
import { isMarkdown } from '@recto/repository-format'
import { ApiFailure, callApi, failureOf, send, type Connection } from '../api/api-client.ts'
import { operations } from '../api/operations.ts'
import { folderSource } from '../folders/folder-source.ts'
import { requireFolder } from '../folders/require-folder.ts'
import { UsageFailure } from '../terminal/command.ts'
import { folderTip, readFolderFiles } from './folder-tip.ts'
import { FolderWriter } from './folder-writer.ts'
import { packFolder, type PackedFiles } from './pack-folder.ts'
import { countChanges, pushTarget, type FileCounts, type PushTarget } from './push.rules.ts'
import { currentBranch, readRevision, type SpaceAddress } from './space-revision.ts'
import { parseState, type SyncState } from './sync-state.rules.ts'

/** A push of a folder to its space. */
export interface PushRequest {
  folder: string
  /** The space of a folder that was not pulled. */
  space: string | undefined
  /** Finds the account for the address of an API, the last one unless given. */
  connect(api?: string): Promise<Connection>
  /** The change request that is written to: that of the folder unless given. */
  changeRequest: PushTarget | undefined
  message: string | undefined
  /** Push even if the space has changed since the last pull. */
  force: boolean
  signal: AbortSignal
  onProgress(text: string): void
}

/** The end of a push. */
export interface PushResult {
  /** The revision that the space, or the change request, then has. */
  revision: string
  /** The files that were sent, by what happened to them; nothing was sent when none has changed. */
  files: FileCounts
  changeRequest?: { id: string; number: number; status: string; url: string }
  warnings: { path: string; message: string }[]
  address: SpaceAddress
}

type Operation = Output<typeof operations.getGitOperation>

/** A push was refused; `isBehind` says that the space has changed since the folder was pulled. */
export class PushFailure extends Error {
  readonly isBehind: boolean

  constructor(message: string, { isBehind = false }: { isBehind?: boolean } = {}) {
    super(message)
    this.isBehind = isBehind
  }
}

/** Milliseconds between two looks at a running push. */
const pollMs = 500

/** Pushes a folder to its space, as one change. Throws `PushFailure` when it is refused. */
export async function pushFolder(request: PushRequest): Promise<PushResult> {
  await requireFolder(request.folder)
  const writer = await FolderWriter.open(request.folder)
  try {
    return await pushFrom(writer, request)
  } finally {
    await writer.close()
  }
}

async function pushFrom(writer: FolderWriter, request: PushRequest): Promise<PushResult> {
  const { onProgress } = request
  const { state, address } = await readOrBeginState(await writer.readState(), request)
  const target = pushTarget(request.changeRequest, state)
  onProgress('Reading the folder')
  const files = await filesToPush(request.folder)
  const counts = countChanges(files.oids, state.files)
  if (counts.added + counts.changed + counts.removed === 0)
    return { revision: state.revision, files: counts, warnings: [], address }
  if (!request.force && hasLostPages(files.oids, state))
    throw new PushFailure('The folder has no page any more, so that the space would have none. --force pushes that')
  const pack = await writer.draftPath('folder.pack')
  const commit = await packFolder(files, pack, request.message ?? 'Push of a folder')
  onProgress('Sending the folder')
  const upload = await sendPack(pack, address)
  const operation = await finished(
    await startPush({ request, target, state, address, upload, commit }),
    address,
    onProgress,
  )
  if (operation.state !== 'success') throw failureOfOperation(operation)
  const changeRequest = await changeRequestOf(operation, address)
  const { revision = '', warnings } = operation
  const branch = { revision, ...(changeRequest && { changeRequest }) }
  await writer.writeState(stateAfter(state, branch, files))
  return { ...branch, files: counts, warnings, address }
}

/** The state of the folder; one that was not pulled begins as of a space without content. */
async function readOrBeginState(
  text: string | undefined,
  { space, connect, force, signal }: PushRequest,
): Promise<{ state: SyncState; address: SpaceAddress }> {
  if (text !== undefined) {
    const state = parseState(text)
    if (space !== undefined && space !== state.space)
      throw new UsageFailure(`The folder is of the space ${state.space} at ${state.api}`)
    return { state, address: { connection: await connect(state.api), space: state.space, signal } }
  }
  if (space === undefined)
    throw new UsageFailure(
      'The folder was not pulled from a space: name one without content by --space, or use `recto pull SPACE DIR` first',
    )
  const connection = await connect()
  const address = { connection, space, signal }
  const { revision } = await currentBranch(address, undefined)
  const { pages, files, reusableContents } = await readRevision(address, revision)
  if (!force && pages.length + files.length + reusableContents.length > 0)
    throw new PushFailure('The space has content. Pull it into the folder first, or use --force, which replaces it')
  return { state: { version: 1, api: connection.url, space, revision, files: {}, paths: {} }, address }
}

async function changeRequestOf(
  operation: Operation,
  { connection, space, signal }: SpaceAddress,
): Promise<PushResult['changeRequest']> {
  if (operation.changeRequest === undefined) return undefined
  const params = { spaceId: space, changeRequestId: operation.changeRequest }
  const { id, number, status, urls } = await callApi(connection, operations.getChangeRequestById, { params, signal })
  return { id, number, status, url: urls.app }
}

/** Whether a folder that had pages has none. */
function hasLostPages(oids: ReadonlyMap<string, string>, { files }: SyncState): boolean {
  return Object.keys(files).some(isMarkdown) && ![...oids.keys()].some(isMarkdown)
}

/** The files of a folder that an import may read: those below the root of its content, and its configuration. */
async function filesToPush(folder: string): Promise<PackedFiles> {
  const source = await folderSource(folder)
  const allFiles = await readFolderFiles(source)
  const { files, configurationPath } = await folderTip(allFiles)
  const configuration = allFiles.oids.get(configurationPath)
  const oids = new Map([
    ...files,
    ...(configuration === undefined ? [] : [[configurationPath, configuration] as const]),
  ])
  return { oids, read: source.read }
}

/** The text of the state after a push: main content, or the change request, has what the folder has. */
function stateAfter(
  { changeRequest: _before, ...state }: SyncState,
  { revision, changeRequest }: Pick<PushResult, 'revision' | 'changeRequest'>,
  { oids }: PackedFiles,
): string {
  const next: SyncState = {
    ...state,
    revision,
    ...(changeRequest && { changeRequest: { id: changeRequest.id, number: changeRequest.number } }),
    files: Object.fromEntries(oids),
  }
  return `${JSON.stringify(next, undefined, 1)}\n`
}

/** Uploads a pack; resolves to the key of the upload. */
async function sendPack(path: string, { connection, space, signal }: SpaceAddress): Promise<string> {
  const { organization } = await callApi(connection, operations.getSpaceById, { params: { spaceId: space }, signal })
  const body = await openAsBlob(path)
  const { url, key } = await callApi(connection, operations.generateStorageUploadURL, {
    params: { organizationId: organization },
    body: { file: { name: 'folder.pack', type: 'application/octet-stream', size: body.size }, kind: 'import_file' },
    signal,
  })
  if (!/^https?:/.test(url)) throw new ApiFailure(0, 'The API gave no address to upload to')
  // A repeated upload replaces the one before.
  const response = await send(url, { method: 'PUT', body, redirect: 'error' }, { signal })
  if (!response.ok) throw await failureOf(response)
  await response.body?.cancel()
  return key
}

interface UploadedFolder {
  request: PushRequest
  target: PushTarget | undefined
  state: SyncState
  address: SpaceAddress
  upload: string
  commit: string
}

async function startPush({ request, target, state, address, upload, commit }: UploadedFolder): Promise<Operation> {
  const { message, force } = request
  const body = {
    upload,
    commit,
    base: state.revision,
    force,
    ...(target && { changeRequest: target }),
    ...(message !== undefined && { message }),
  }
  const params = { spaceId: address.space }
  try {
    return await callApi(address.connection, operations.pushToSpace, { params, body, signal: address.signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 409)
      throw new PushFailure(error.message, { isBehind: error.message.includes('since the folder was read') })
    throw error
  }
}

/** Waits until a push has ended. */
async function finished(
  started: Operation,
  { connection, space, signal }: SpaceAddress,
  onProgress: PushRequest['onProgress'],
): Promise<Operation> {
  let operation = started
  while (operation.state === 'queued' || operation.state === 'running') {
    const { done = 0, total = 0 } = operation.progress ?? {}
    onProgress(total > 0 ? `Reading pages: ${done} of ${total}` : 'Waiting for the space')
    await wait(pollMs, undefined, { signal })
    const params = { spaceId: space, operationId: operation.id }
    operation = await callApi(connection, operations.getGitOperation, { params, signal })
  }
  return operation
}

function failureOfOperation({ error }: Operation): PushFailure {
  const place = error?.path === undefined ? '' : `${error.path}: `
  const message = `${place}${error?.message ?? 'The push did not end well'}`
  return new PushFailure(message, { isBehind: error?.code === 'content_moved' })
}
