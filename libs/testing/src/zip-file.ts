import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip file; fields beside name and content make it lie or be unusual. */
export interface ZipEntry {
  name: string
  content: string | Uint8Array
  /** Unix mode with file type, 0o100644 unless given. */
  mode?: number
  /** The uncompressed size that the headers claim. */
  claimedSize?: number
}

/** Writes a zip file with these entries; text content may also be given by name. */
export function aZip(entries: ZipEntry[] | Record<string, string>): Buffer {
  const list = Array.isArray(entries) ? entries : Object.entries(entries).map(([name, content]) => ({ name, content }))
  const [local, central]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const entry of list) {
    const { head, body, directory } = encode(entry, offset)
    local.push(head, body)
    central.push(directory)
    offset += head.length + body.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(list.length, 8)
  end.writeUInt16LE(list.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

function encode({ name, content, mode = 0o100644, claimedSize }: ZipEntry, offset: number) {
  const bytes = Buffer.from(content)
  const body = deflateRawSync(bytes)
  const encoded = Buffer.from(name)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(0x0800, 2)
  shared.writeUInt16LE(8, 4)
  shared.writeUInt32LE(crc32(bytes), 10)
  shared.writeUInt32LE(body.length, 14)
  shared.writeUInt32LE(claimedSize ?? bytes.length, 18)
  shared.writeUInt16LE(encoded.length, 22)
  const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, encoded])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE((mode << 16) >>> 0, 6)
  tail.writeUInt32LE(offset, 10)
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), shared, tail, encoded])
  return { head, body, directory }
}
