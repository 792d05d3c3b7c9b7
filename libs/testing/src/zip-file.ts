import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip file; fields beside name and content make it lie or be unusual. */
export interface ZipEntry {
  name: string
  content: string | Uint8Array
  /** Unix mode with file type, 0o100644 unless given. */
  mode?: number
  /** The uncompressed size that the headers claim. */
  claimedSize?: number
  /** Has bytes that cannot be decompressed. */
  broken?: boolean
}

const nothing = deflateRawSync('')

/** Writes a zip file with these entries; text content may also be given by name. */
export function aZip(entries: ZipEntry[] | Record<string, string>): Buffer {
  const list = Array.isArray(entries) ? entries : Object.entries(entries).map(([name, content]) => ({ name, content }))
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of list) {
    const { head, body, directory } = encode(entry, offset)
    local.push(head, body)
    central.push(directory)
    offset += head.length + body.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  const shortCount = Math.min(list.length, 0xffff)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(shortCount, 8)
  end.writeUInt16LE(shortCount, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  const long = shortCount === 0xffff ? longEnd(list.length, { size: directory.length, offset }) : []
  return Buffer.concat([...local, directory, ...long, end])
}

/** The records of Zip64 that count more entries than 16 bits can. */
function longEnd(count: number, directory: { size: number; offset: number }): Buffer[] {
  const end = Buffer.alloc(56)
  const locator = Buffer.alloc(20)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(directory.size), 40)
  end.writeBigUInt64LE(BigInt(directory.offset), 48)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(directory.offset + directory.size), 8)
  locator.writeUInt32LE(1, 16)
  return [end, locator]
}

function encode({ name, content, mode = 0o100644, claimedSize, broken = false }: ZipEntry, offset: number) {
  const bytes = Buffer.from(content)
  const body = broken ? Buffer.alloc(16, 0xff) : bytes.length === 0 ? nothing : deflateRawSync(bytes)
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
