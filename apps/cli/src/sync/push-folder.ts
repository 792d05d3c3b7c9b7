import { openAsBlob } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { contentApi } from '@recto/contracts-content'
import { gitWorkerApi } from '@recto/contracts-git-worker'
import type { Output } from '@recto/operation'
import { ApiFailure, callApi, failureOf, send, type Connection } from '../api/api-client.ts'
import { folderSource } from '../folders/folder-source.ts'
import { UsageFailure } from '../terminal/command.ts'
import { folderTip, readFolderFiles } from './folder-tip.ts'
import { FolderWriter } from './folder-writer.ts'
import { packFolder, type PackedFiles } from './pack-folder.ts'
import { parseState } from './pull-folder.ts'
import type { SpaceAddress } from './space-revision.ts'
import type { SyncState } from './sync-state.rules.ts'

/** The change request that a push writes to: an existing one, by its number or id, or a new one. */
export type PushTarget = { id: string } | { subject: string }

/** A push of a folder to the space that it was pulled from. */
export interface PushRequest {
  folder: string
  /** Finds the account for an address of an API. */
  connect(api: string): Promise<Connection>
  /** Main content unless given. */
  changeRequest: PushTarget | undefined
  message: string | undefined
  /** Push even if the space has changed since the last pull. */
  force: boolean
  signal: AbortSignal
  onProgress(text: string): void
}

/** The end of a push. */
export interface PushResult {
  /** Absent when the folder is as it was pulled, and nothing was sent. */
  revision?: string
  changeRequest?: { id: string; number: number }
  warnings: { path: string; message: string }[]
  address: SpaceAddress
}

type Operation = Output<typeof gitWorkerApi.getGitOperation>

/** A push was refused; `isBehind` says that the space has changed since the folder was pulled. */
export class PushFailure extends Error {
  readonly isBehind: boolean

  constructor(message: string, { isBehind }: { isBehind: boolean }) {
    super(message)
    this.isBehind = isBehind
  }
}

/** Milliseconds between two looks at a running push. */
const pollMs = 500

/** Pushes a folder to its space, as one change. Throws `PushFailure` when it is refused. */
export async function pushFolder(request: PushRequest): Promise<PushResult> {
  const writer = await FolderWriter.open(request.folder)
  try {
    return await pushFrom(writer, request)
  } finally {
    await writer.close()
  }
}

async function pushFrom(writer: FolderWriter, request: PushRequest): Promise<PushResult> {
  const { signal, onProgress, changeRequest } = request
  const stateText = await writer.readState()
  const state = stateText === undefined ? undefined : parseState(stateText)
  if (!state) throw new UsageFailure('The folder was not pulled from a space: use `recto pull SPACE DIR` first')
  const address: SpaceAddress = { connection: await request.connect(state.api), space: state.space, signal }
  onProgress('Reading the folder')
  const files = await filesToPush(request.folder)
  if (isAsPulled(files.oids, state)) return { warnings: [], address }
  const pack = await writer.draftPath('folder.pack')
  const commit = await packFolder(files, pack, request.message ?? 'Push of a folder')
  onProgress('Sending the folder')
  const upload = await sendPack(pack, address)
  const operation = await finished(await startPush({ request, state, address, upload, commit }), address, onProgress)
  if (operation.state !== 'success') throw failureOfOperation(operation)
  const result = { revision: operation.revision ?? '', warnings: operation.warnings, address }
  if (operation.changeRequest !== undefined) {
    const params = { spaceId: address.space, changeRequestId: operation.changeRequest }
    const { id, number } = await callApi(address.connection, contentApi.getChangeRequestById, { params, signal })
    return { ...result, changeRequest: { id, number } }
  }
  if (!changeRequest) await writer.writeState(stateAfter(state, result.revision, files))
  return result
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

/** Whether all files are as the last pull or push left them. */
function isAsPulled(oids: ReadonlyMap<string, string>, { files }: SyncState): boolean {
  const pulled = Object.entries(files)
  return pulled.length === oids.size && pulled.every(([path, oid]) => oids.get(path) === oid)
}

/** The text of the state after a push to main content: the space has what the folder has. */
function stateAfter(state: SyncState, revision: string, { oids }: PackedFiles): string {
  const next: SyncState = { ...state, revision, files: Object.fromEntries(oids) }
  return `${JSON.stringify(next, undefined, 1)}\n`
}

/** Uploads a pack; resolves to the key of the upload. */
async function sendPack(path: string, { connection, space, signal }: SpaceAddress): Promise<string> {
  const { organization } = await callApi(connection, contentApi.getSpaceById, { params: { spaceId: space }, signal })
  const body = await openAsBlob(path)
  const { url, key } = await callApi(connection, contentApi.generateStorageUploadURL, {
    params: { organizationId: organization },
    body: { file: { name: 'folder.pack', type: 'application/octet-stream', size: body.size }, kind: 'import_file' },
    signal,
  })
  if (!/^https?:/.test(url)) throw new ApiFailure(0, 'The API gave no address to upload to')
  // A repeated upload replaces the one before.
  const response = await send(url, { method: 'PUT', body, redirect: 'error' }, { signal, tries: 4 })
  if (!response.ok) throw await failureOf(response)
  await response.body?.cancel()
  return key
}

interface UploadedFolder {
  request: PushRequest
  state: SyncState
  address: SpaceAddress
  upload: string
  commit: string
}

async function startPush({ request, state, address, upload, commit }: UploadedFolder): Promise<Operation> {
  const { changeRequest, message, force } = request
  const body = {
    upload,
    commit,
    base: state.revision,
    force,
    ...(changeRequest && { changeRequest }),
    ...(message !== undefined && { message }),
  }
  const params = { spaceId: address.space }
  try {
    return await callApi(address.connection, gitWorkerApi.pushToSpace, { params, body, signal: address.signal })
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
    operation = await callApi(connection, gitWorkerApi.getGitOperation, { params, signal })
  }
  return operation
}

function failureOfOperation({ error }: Operation): PushFailure {
  const place = error?.path === undefined ? '' : `${error.path}: `
  const message = `${place}${error?.message ?? 'The push did not end well'}`
  return new PushFailure(message, { isBehind: error?.code === 'content_moved' })
}
