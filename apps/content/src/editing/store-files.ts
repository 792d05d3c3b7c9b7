import { buffer } from 'node:stream/consumers'
import { detectContentType, dimensionsOf, sniffedBytes } from '@recto/convert'
import { fieldFault } from '@recto/operation'
import { discardBody, OutgoingFailure, requestPlain } from '@recto/outgoing'
import pMap from 'p-map'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { uploadFault } from '../uploads/uploads.rules.ts'
import type { Change, StoredFile } from './batch.ts'

/** Files that are fetched and stored at the same time. */
const concurrency = 4

/** The source of a file's bytes: exactly one of `base64`, `url` and `upload` is set. */
interface FileSource {
  name?: string | undefined
  base64?: string | undefined
  url?: string | undefined
  upload?: string | undefined
}

/**
 * Stores the files of changes in the blob store, by the index of their change; files of uploads are stored already. Throws
 * `invalid_request` for a URL that cannot be read, and `conflict` for an upload that cannot be used.
 */
export async function storeFiles(
  changes: Change[],
  spaceId: string,
  context: Context,
): Promise<Map<number, StoredFile[]>> {
  const sources = changes.flatMap((change, at) =>
    sourcesOf(change).map((source, number) => ({ at, number, source, path: pathOf(change, at, number) })),
  )
  const organizationId = (await spaces.find(context.db, spaceId))?.organizationId ?? ''
  const stored = await pMap(sources, ({ source, path }) => storeFile(source, { path, organizationId }, context), {
    concurrency,
  })
  const files = new Map<number, StoredFile[]>()
  for (const [index, { at }] of sources.entries()) {
    const file = stored[index]
    if (file) files.set(at, [...(files.get(at) ?? []), file])
  }
  return files
}

function sourcesOf(change: Change): FileSource[] {
  if (change.operation === 'insert_files') return change.files
  return change.operation === 'replace_file' ? [change] : []
}

function pathOf({ operation }: Change, at: number, number: number): string {
  return operation === 'insert_files' ? `body.changes.${at}.files.${number}` : `body.changes.${at}`
}

async function storeFile(
  source: FileSource,
  { path, organizationId }: { path: string; organizationId: string },
  context: Context,
): Promise<StoredFile> {
  const name = source.name ?? ''
  if (source.upload !== undefined) return findUpload(source.upload, { name, path, organizationId }, context)
  if (source.url !== undefined) return storeUrl(source.url, { name, path }, context)
  const bytes = Buffer.from(source.base64 ?? '', 'base64')
  return describeFile(name, bytes, await context.blobs.put(bytes))
}

async function findUpload(
  id: string,
  { name, path, organizationId }: { name: string; path: string; organizationId: string },
  { actor, db, blobs }: Context,
): Promise<StoredFile> {
  const upload = await uploads.find(db, id)
  const fault = uploadFault(upload, { userId: actor.userId, organizationId, now: new Date() })
  if (fault !== undefined || !upload?.hash) throw fieldFault(`${path}.upload`, fault ?? 'is not complete', 'conflict')
  const { hash, size } = upload
  const { body } = await blobs.get(hash, size > sniffedBytes ? { start: 0, end: sniffedBytes - 1 } : undefined)
  return describeFile(name, await buffer(body), { hash, size })
}

async function storeUrl(
  url: string,
  { name, path }: { name: string; path: string },
  { outgoing, blobs, maxFileBytes }: Context,
): Promise<StoredFile> {
  try {
    const reply = await requestPlain(outgoing, { url, maxBytes: maxFileBytes })
    if (reply.status !== 200) {
      await discardBody(reply)
      throw fieldFault(`${path}.url`, `cannot be read: the server answered ${reply.status}`)
    }
    const head = headOf(reply.body)
    const stored = await blobs.put(head.body)
    return await describeFile(name, head.bytes(), stored)
  } catch (error) {
    if (error instanceof OutgoingFailure) throw fieldFault(`${path}.url`, `cannot be read: ${error.message}`)
    throw error
  }
}

/** Passes a body on and remembers its first bytes, by which its type is detected. */
function headOf(source: AsyncIterable<Uint8Array>): { body: AsyncGenerator<Uint8Array>; bytes(): Buffer } {
  const chunks: Uint8Array[] = []
  let size = 0
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (size < sniffedBytes) chunks.push(chunk.subarray(0, sniffedBytes - size))
      size += chunk.byteLength
      yield chunk
    }
  }
  return { body: pass(), bytes: () => Buffer.concat(chunks) }
}

/** Describes a file by its first bytes; its name counts only where the bytes do not tell the type. */
export async function describeFile(
  name: string,
  head: Uint8Array,
  { hash, size }: { hash: string; size: number },
): Promise<StoredFile> {
  const contentType = await detectContentType(head.subarray(0, sniffedBytes), name)
  const dimensions = dimensionsOf(head, contentType)
  return { name, hash, size, contentType, ...(dimensions && { dimensions }) }
}
