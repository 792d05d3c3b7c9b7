import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

const compress = promisify(deflate)

/** An object for a pack, with its whole content. */
export interface PackObject {
  type: 'commit' | 'tree' | 'blob'
  bytes: Buffer
}

const entryTypes = { commit: 1, tree: 2, blob: 3 } as const

/** The id of a git object: SHA-1 of its type, size and content. */
export function objectId({ type, bytes }: { type: string; bytes: Uint8Array }): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Writes a pack (gitformat-pack(5), version 2) of `count` whole objects, one at a time; resolves to its size in bytes. */
export async function writePack(
  objects: AsyncIterable<PackObject>,
  count: number,
  write: (bytes: Buffer) => Promise<unknown>,
): Promise<number> {
  const hash = createHash('sha1')
  let size = 0
  const add = async (bytes: Buffer) => {
    hash.update(bytes)
    size += bytes.length
    await write(bytes)
  }
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  await add(head)
  for await (const { type, bytes } of objects) {
    await add(entryHeader(entryTypes[type], bytes.length))
    await add(await compress(bytes))
  }
  const checksum = hash.digest()
  await write(checksum)
  return size + checksum.length
}

function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}
