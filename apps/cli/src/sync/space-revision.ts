import { maxRequestedDocuments } from '@recto/contracts-content'
import { defaultLimits } from '@recto/repository-content'
import type { ContentReader } from '@recto/repository-export'
import { ApiFailure, callApi, send, type Connection } from '../api/api-client.ts'
import { operations } from '../api/operations.ts'
import { hashOf, type FolderFiles } from './folder-tip.ts'

/** A space of an API, and who ends the work with it. */
export interface SpaceAddress {
  connection: Connection
  space: string
  signal: AbortSignal
}

/** The content that a folder follows: main content of a space, or a change request. */
export interface Branch {
  /** Its current revision. */
  revision: string
  changeRequest?: { id: string; number: number }
}

/** The main content of a space, or a change request by its number or id. */
export async function currentBranch(
  { connection, space, signal }: SpaceAddress,
  changeRequest: string | undefined,
): Promise<Branch> {
  if (changeRequest === undefined) {
    const { revision } = await callApi(connection, operations.getSpaceById, { params: { spaceId: space }, signal })
    return { revision }
  }
  const params = { spaceId: space, changeRequestId: changeRequest }
  const { id, number, revision } = await callApi(connection, operations.getChangeRequestById, { params, signal })
  return { revision, changeRequest: { id, number } }
}

/** A revision as the files of a repository have it. */
export async function readRevision({ connection, space, signal }: SpaceAddress, revision: string) {
  const params = { spaceId: space, revisionId: revision }
  return callApi(connection, operations.getRevisionRepository, { params, signal })
}

/** A revision as the API tells it. */
export type SpaceRevision = Awaited<ReturnType<typeof readRevision>>

/** The same, or undefined when the revision is not there any more. */
export async function findRevision(address: SpaceAddress, revision: string): Promise<SpaceRevision | undefined> {
  try {
    return await readRevision(address, revision)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}

/** Reads texts and files of a revision: from the folder where it has them, and else from the API, with a check of each. */
export function revisionReader(address: SpaceAddress, revision: SpaceRevision, folder: FolderFiles): ContentReader {
  const urls = new Map(revision.files.map(({ hash, downloadURL }) => [hash, downloadURL]))
  const ownBytes = async (hash: string): Promise<Buffer | undefined> => {
    const path = folder.byHash.get(hash)
    const bytes = path === undefined ? undefined : Buffer.from(await folder.source.read(path))
    return bytes && hashOf(bytes) === hash ? bytes : undefined
  }
  return {
    async documents(hashes, use) {
      const missing: string[] = []
      for (const hash of hashes) {
        const bytes = await ownBytes(hash)
        if (bytes) await use(hash, bytes)
        else missing.push(hash)
      }
      for (let at = 0; at < missing.length;) {
        const documents = await readDocuments(address, revision.revision, missing.slice(at, at + maxRequestedDocuments))
        for (const [index, bytes] of documents.entries()) await use(missing[at + index] ?? '', bytes)
        at += documents.length
      }
    },
    file: async hash => (await ownBytes(hash)) ?? download(urls.get(hash) ?? '', hash, address.signal),
  }
}

/** Reads the first ones of some documents, and one at least. */
async function readDocuments(
  { connection, space, signal }: SpaceAddress,
  revision: string,
  hashes: string[],
): Promise<Buffer[]> {
  const { documents } = await callApi(connection, operations.listRevisionDocuments, {
    params: { spaceId: space, revisionId: revision },
    body: { documents: hashes },
    signal,
  })
  if (documents.length === 0 || documents.length > hashes.length) throw damaged('documents')
  return documents.map(({ text, base64 = '' }, index) =>
    requireHash(text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text), hashes[index] ?? ''),
  )
}

async function download(url: string, hash: string, signal: AbortSignal): Promise<Buffer> {
  if (!/^https?:/.test(url)) throw damaged(hash)
  const response = await send(url, {}, { signal })
  if (!response.ok || !response.body)
    throw new ApiFailure(response.status, `A file cannot be downloaded: ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > defaultLimits.maxFile) throw new ApiFailure(response.status, 'A file is too large')
    chunks.push(chunk)
  }
  return requireHash(Buffer.concat(chunks), hash)
}

function requireHash(bytes: Buffer, hash: string): Buffer {
  if (hashOf(bytes) !== hash) throw damaged(hash)
  return bytes
}

function damaged(subject: string): ApiFailure {
  return new ApiFailure(0, `The API did not answer with what was asked for: ${subject}`)
}
