import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A pack with its checksum; `content` is all before that. */
export function withChecksum(content: Buffer): Buffer {
  return Buffer.concat([content, createHash('sha1').update(content).digest()])
}

/** A pack of these entries that says it has `count` of them. */
export function packOfEntries(entries: readonly Buffer[], count = entries.length): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  return withChecksum(Buffer.concat([head, ...entries]))
}

/** An entry of a pack; `base` names the base of a delta. */
export function packEntry(type: number, data: Buffer, base: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = [(type << 4) | (data.length & 15)]
  for (let rest = data.length >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.concat([Buffer.from(bytes), base, deflateSync(data)])
}

/** A pack of one blob of a megabyte, and of deltas that each make a hundred megabytes of copies of it. */
export function deltaBomb(deltas: number): Buffer {
  const size = 1024 * 1024
  const blob = Buffer.alloc(size)
  const oid = createHash('sha1').update(`blob ${size}\0`).update(blob).digest()
  const copies = 99
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
  const copy = [0x80 | 0x70, size & 255, (size >>> 8) & 255, (size >>> 16) & 255]
  const makeDelta = (last: number) =>
    Buffer.from([
      ...varint(size),
      ...varint(copies * size + 4),
      ...Array.from({ length: copies }, () => copy).flat(),
      4,
      ...Buffer.from(String(last).padStart(4, '0')),
    ])
  return packOfEntries([
    packEntry(3, blob),
    ...Array.from({ length: deltas }, (_, at) => packEntry(7, makeDelta(at), oid)),
  ])
}
