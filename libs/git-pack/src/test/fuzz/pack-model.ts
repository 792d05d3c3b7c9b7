import { deflateSync } from 'node:zlib'
import { PackReader } from '../../pack-reader.ts'
import { distanceBytes, entryHeader, entryTypes, packOf, sourceOf } from '../packs.ts'

/** An entry of a pack to write, whose fields may be false. */
export interface ModelEntry {
  type: number
  /** The data to compress: an object or a delta. */
  data: Buffer
  /** The base of a delta: an entry, or the raw bytes of the reference. */
  base?: { entry: number } | { bytes: readonly number[] }
  /** Replaces the encoded header. */
  header?: Buffer
  /** Replaces the compressed data. */
  stream?: Buffer
}

/** Writes a pack of these entries, with a correct trailer. */
export function encodeModel(entries: readonly ModelEntry[], lies: { count?: number; version?: number } = {}): Buffer {
  let offset = 12
  const offsets: number[] = []
  const encoded = entries.map(item => {
    offsets.push(offset)
    const bytes = Buffer.concat([
      item.header ?? entryHeader(item.type, item.data.length),
      Buffer.from(baseBytes(item, offset, offsets)),
      item.stream ?? deflateSync(item.data),
    ])
    offset += bytes.length
    return bytes
  })
  return packOf(encoded, lies)
}

function baseBytes({ base }: ModelEntry, offset: number, offsets: readonly number[]): readonly number[] {
  if (!base) return []
  return 'bytes' in base ? base.bytes : distanceBytes(Math.max(0, offset - (offsets[base.entry] ?? offset)))
}

/** Parses a pack into entries, so that it can be written again with changes. */
export async function decodeModel(pack: Buffer): Promise<ModelEntry[]> {
  const reader = new PackReader(sourceOf(pack))
  const offsets: number[] = []
  const entries: ModelEntry[] = []
  for (let offset = 12, left = pack.readUInt32BE(8); left > 0; left--) {
    const { type, size, length, base } = await reader.headerAt(offset)
    const { data, consumed } = await reader.inflate(offset + length, size)
    if (type !== 'delta') entries.push({ type: entryTypes[type], data })
    else if (base && 'oid' in base)
      entries.push({ type: entryTypes.refDelta, data, base: { bytes: [...Buffer.from(base.oid, 'hex')] } })
    else
      entries.push({
        type: entryTypes.offsetDelta,
        data,
        base: { entry: offsets.indexOf(offset - (base?.distance ?? 0)) },
      })
    offsets.push(offset)
    offset += length + consumed
  }
  return entries
}
