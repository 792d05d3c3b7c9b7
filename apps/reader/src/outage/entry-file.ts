import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/**
 * A kept reply is one file, so that it is there as a whole or not at all: its bytes, then facts as JSON, then the length of these (4 bytes,
 * the first one highest) and a mark.
 */
const mark = Buffer.from('RKP1')
const endLength = 4 + mark.length

const Facts = z.object({
  key: z.string(),
  hash: z.string(),
  length: z.number().int().min(0),
  version: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
})

/** The facts of a kept reply. */
export type EntryFacts = z.output<typeof Facts>

/** The bytes of a reply, as they come. */
export type Bytes = AsyncIterable<Uint8Array>

/** The most that facts may take: a key is a path with its query. */
const maxFacts = 64 * 1024

/** Writes a reply beside its place, and moves it there when it is whole. Returns its facts and the size of the file. */
export async function writeEntry(
  path: string,
  { key, version, headers = {} }: { key: string; version: string; headers?: Record<string, string> },
  bytes: Bytes,
): Promise<{ facts: EntryFacts; size: number }> {
  const temporary = join(dirname(path), `${randomUUID()}.tmp`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let length = 0
    for await (const chunk of bytes) {
      hash.update(chunk)
      length += chunk.byteLength
      await handle.appendFile(chunk)
    }
    const facts = { key, hash: hash.digest('base64url'), length, version, headers }
    const text = Buffer.from(JSON.stringify(facts))
    const end = Buffer.alloc(4)
    end.writeUInt32BE(text.byteLength)
    await handle.appendFile(Buffer.concat([text, end, mark]))
    await handle.close()
    await rename(temporary, path)
    return { facts, size: length + text.byteLength + endLength }
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Reads the facts of a reply; undefined for a file that is cut off, or none of these. */
export async function readFacts(path: string): Promise<EntryFacts | undefined> {
  return withFile(path, async handle => factsIn(handle))
}

/** Reads a reply as text; undefined unless all of it is there as it was written. */
export async function readEntryText(path: string): Promise<{ facts: EntryFacts; text: string } | undefined> {
  return withFile(path, async handle => {
    const facts = await factsIn(handle)
    if (!facts) return undefined
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.length), 0, facts.length, 0)
    if (bytesRead !== facts.length || hashOf(buffer) !== facts.hash) return undefined
    return { facts, text: buffer.toString() }
  })
}

/** Whether the bytes of a reply are those that were written. */
export async function isWhole(path: string, { hash, length }: EntryFacts): Promise<boolean> {
  if (length === 0) return hashOf(Buffer.alloc(0)) === hash
  const actual = createHash('sha256')
  for await (const chunk of createReadStream(path, { start: 0, end: length - 1 })) actual.update(chunk as Buffer)
  return actual.digest('base64url') === hash
}

async function withFile<Result>(
  path: string,
  read: (handle: FileHandle) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const handle = await open(path, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    return await read(handle)
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

async function factsIn(handle: FileHandle): Promise<EntryFacts | undefined> {
  const { size } = await handle.stat()
  if (size < endLength) return undefined
  const end = (await handle.read(Buffer.alloc(endLength), 0, endLength, size - endLength)).buffer
  const length = end.readUInt32BE()
  const start = size - endLength - length
  if (!end.subarray(4).equals(mark) || length > maxFacts || start < 0) return undefined
  const text = (await handle.read(Buffer.alloc(length), 0, length, start)).buffer.toString()
  const facts = Facts.parse(JSON.parse(text))
  return facts.length === start ? facts : undefined
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
