import { decodeIndex, encodeIndex, type PackIndex } from '../../pack-index.ts'
import { GitPackError } from '../../git-pack-error.ts'
import { indexPack } from '../../index-pack.ts'
import { ObjectStore, openPack } from '../../object-store.ts'
import { readPackets } from '../../pkt-line.ts'
import { objectId, readerOf } from '../packs.ts'
import { laxer, stricter, type Difference, type DifferenceName, type Judged } from './differences.ts'
import type { IndexInput } from './index-inputs.ts'
import {
  nativeIndexes,
  nativeLookups,
  nativePackets,
  nativePacks,
  traced,
  type NativePack,
  type NativePackets,
} from './native.ts'
import { requestHead } from './packet-inputs.ts'
import { Random } from './random.ts'
import type { Scratch } from './scratch.ts'

/** The verdict on one input: anything but agreement or an intended difference is a fault. */
export type Verdict = 'accepted by both' | 'refused by both' | { difference: DifferenceName } | { fault: string }

type Outcome<T> = { value: T } | { refused: GitPackError }

/** The library's result for an input; errors other than `GitPackError` are faults of the library and are rethrown. */
async function outcomeOf<T>(work: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof GitPackError) return { refused: error }
    throw error
  }
}

function refusedHere(kind: Difference['kind'], { code, message }: GitPackError, input: Judged): Verdict {
  const reason = stricter(kind, message, input)
  return reason ? { difference: reason } : { fault: `git takes it; here it is refused as ${code}: ${message}` }
}

function takenHere(kind: Difference['kind'], complaint: string): Verdict {
  const reason = laxer(kind, complaint)
  return reason ? { difference: reason } : { fault: `it is taken here; git refuses it: ${complaint}` }
}

const packLimits = { maxObject: 2 ** 20, maxInflated: 2 ** 26, maxObjects: 20_000 }

interface ReadPack {
  index: Buffer
  oids: string[]
  skipped: boolean
}

/** Indexes a pack, encodes and decodes the index, and reads every object of the pack through it. */
async function readPack(pack: Buffer, cacheBytes: number): Promise<ReadPack> {
  const limits = { ...packLimits, cacheBytes }
  const { entries, checksum, skipped } = await indexPack(readerOf(pack), limits)
  const index = encodeIndex(entries, checksum)
  const store = new ObjectStore([await openPack(readerOf(pack), index)], limits)
  for (const { oid } of entries) {
    const { type, data } = await store.readAny(oid)
    if (objectId(type, data) !== oid) throw new Error(`${oid} is read as ${objectId(type, data)}`)
    if ((await store.sizeOf(oid)) !== data.length) throw new Error(`${oid} has another size than it is said to have`)
  }
  return { index, oids: entries.map(({ oid }) => oid), skipped }
}

/** Compares packs: library and git produce the same ids, offsets and checksums, or both refuse the pack. */
export async function judgePacks(
  scratch: Scratch,
  packs: readonly Buffer[],
  randoms: readonly Random[],
): Promise<Verdict[]> {
  const natives = nativePacks(scratch, packs)
  const cacheSizes = randoms.map(random => random.pick([1, 300, 2 ** 20]))
  return Promise.all(
    packs.map(async (pack, at) =>
      comparePack(
        pack,
        await outcomeOf(() => readPack(pack, cacheSizes[at] ?? 1)),
        natives[at] ?? { complaint: 'it was not judged' },
      ),
    ),
  )
}

export function comparePack(pack: Buffer, ours: Outcome<ReadPack>, native: NativePack): Verdict {
  if ('refused' in ours)
    return 'index' in native ? refusedHere('pack', ours.refused, { bytes: pack }) : 'refused by both'
  const { index, oids, skipped } = ours.value
  if (skipped) return compareSkipped(oids, native)
  if ('complaint' in native) return takenHere('pack', native.complaint)
  if (native.index.equals(index)) return 'accepted by both'
  const isTwice = new Set(oids).size < oids.length
  return isTwice && sameEntries(native.index, index) ? 'accepted by both' : { fault: 'git writes another index' }
}

/** Compares a pack of which the library skips objects over the limit: git indexes at least every object that the library does. */
function compareSkipped(oids: readonly string[], native: NativePack): Verdict {
  if ('complaint' in native) return { difference: 'object over the limit that is broken' }
  const index = decodeIndex(native.index, Number.MAX_SAFE_INTEGER)
  return oids.every(oid => index.find(oid))
    ? { difference: 'object over the limit' }
    : { fault: 'git lacks an object that is found here' }
}

/** Whether two indexes have the same entries; the order of duplicated objects is undefined and ignored. */
function sameEntries(a: Buffer, b: Buffer): boolean {
  const [left, right] = [a, b].map(index => {
    const count = index.readUInt32BE(1_028)
    const part = (at: number, start: number, width: number) =>
      index.toString('hex', 1_032 + start * count + at * width, 1_032 + start * count + (at + 1) * width)
    return Array.from({ length: count }, (_, at) => part(at, 0, 20) + part(at, 20, 4) + part(at, 24, 4))
      .sort()
      .join()
  })
  return left === right
}

/** Compares indexes: library and git find every name at the same offset and no other names, or both refuse the index. */
export async function judgeIndexes(
  scratch: Scratch,
  inputs: readonly IndexInput[],
  randoms: readonly Random[],
): Promise<Verdict[]> {
  const natives = nativeIndexes(scratch, inputs)
  const verdicts: Verdict[] = []
  let batch = new Lookups()
  const finish = () => {
    for (const [at, fault] of batch.compare(scratch, randoms)) verdicts[at] = { fault }
    batch = new Lookups()
  }
  for (const [at, input] of inputs.entries()) {
    const ours = await outcomeOf(() => decodeIndex(input.bytes, input.packBytes))
    if ('refused' in ours) verdicts[at] = natives[at] ? refusedHere('index', ours.refused, input) : 'refused by both'
    else if (!natives[at]) verdicts[at] = { fault: 'it is taken here; git refuses it' }
    else {
      verdicts[at] = 'accepted by both'
      if (!batch.add(at, { input, index: ours.value })) {
        finish()
        batch.add(at, { input, index: ours.value })
      }
    }
  }
  finish()
  return verdicts
}

/** A batch of indexes without common names, so that one git process can look up all of them. */
class Lookups {
  readonly #inputs = new Map<number, IndexInput>()
  readonly #twice = new Set<string>()
  readonly #owner = new Map<string, { at: number; index: PackIndex }>()

  /** Adds an index; false when another index of the batch contains one of its names. */
  add(at: number, { input, index }: { input: IndexInput; index: PackIndex }): boolean {
    const names = Array.from({ length: index.count }, (_, position) =>
      input.bytes.toString('hex', 1_032 + position * 20, 1_052 + position * 20),
    )
    if (names.some(name => this.#owner.has(name))) return false
    names.filter((name, position) => name === names[position - 1]).forEach(name => this.#twice.add(name))
    for (const name of names) this.#owner.set(name, { at, index })
    this.#inputs.set(at, input)
    return true
  }

  /** Faults by input. */
  compare(scratch: Scratch, [random = new Random()]: readonly Random[]): Map<number, string> {
    if (this.#inputs.size === 0) return new Map()
    const names = [...this.#owner.keys()]
    const nowhere = names
      .slice(0, 5)
      .map(name => name.slice(0, -2) + random.bytes(1).toString('hex'))
      .filter(name => !this.#owner.has(name))
    const probes = [...names, ...nowhere]
    const { sizes, fault } = nativeLookups(scratch, this.#inputs, probes)
    const faults = new Map<number, string>()
    probes.forEach((name, position) => {
      const { at, index } = this.#owner.get(name) ?? { at: [...this.#inputs.keys()][0] ?? 0, index: undefined }
      const entry = index?.find(name)
      const ours = entry && entry.end - entry.offset
      const native = position < sizes.length ? sizes[position] : `an end: ${fault}`
      // For a duplicated name git may find either entry.
      const isTwice = this.#twice.has(name) && native !== undefined
      if (ours !== native && !isTwice) faults.set(at, `${name} takes ${ours} bytes here, and in git ${native}`)
    })
    return faults
  }
}

const specials = { flush: '0000', delimiter: '0001', 'response-end': '0002' } as const

interface OurPackets {
  packets: string[]
  /** Whether the packet lengths add up to the length of the stream. */
  framed: boolean
  refused: GitPackError | undefined
}

async function ourPackets(conversation: Buffer, random: Random): Promise<OurPackets> {
  const packets: string[] = []
  let length = 0
  const size = random.pick([1 + random.below(7), 1 + random.below(100), 70_000])
  async function* chunks() {
    for (let at = 0; at < conversation.length; at += size) yield conversation.subarray(at, at + size)
  }
  const outcome = await outcomeOf(async () => {
    for await (const packet of readPackets(chunks())) {
      packets.push(typeof packet === 'string' ? specials[packet] : traced(packet))
      length += typeof packet === 'string' ? 4 : 4 + packet.length
    }
  })
  return {
    packets,
    framed: length === conversation.length,
    refused: 'refused' in outcome ? outcome.refused : undefined,
  }
}

const command = traced(Buffer.from(requestHead.slice(4, -4)))

/** Whether git reads the whole stream as consecutive requests, so that the same process can read further streams. */
function isRequests({ packets, refused }: OurPackets): boolean {
  if (refused || packets.at(-1) !== specials.flush) return false
  let expected = 'command'
  return packets.every(packet => {
    if (packet === specials.delimiter ? expected !== 'delimiter' : expected === 'delimiter') return false
    if (expected === 'command' && packet !== command) return false
    if (packet === specials['response-end'] || packet.startsWith('ERR ') || packet.startsWith('PACK')) return false
    expected = expected === 'command' ? 'delimiter' : packet === specials.flush ? 'command' : 'line'
    return true
  })
}

/** Compares packet streams: library and git read the same packets, up to the same refusal. */
export async function judgePackets(
  scratch: Scratch,
  conversations: readonly Buffer[],
  randoms: readonly Random[],
): Promise<Verdict[]> {
  const ours = await Promise.all(
    conversations.map((conversation, at) => ourPackets(conversation, randoms[at] ?? new Random())),
  )
  const together = [...ours.keys()].filter(at =>
    isRequests(ours[at] ?? { packets: [], framed: false, refused: undefined }),
  )
  const alone = [...ours.keys()].filter(at => !together.includes(at))
  const bytes = (at: number) => conversations[at] ?? Buffer.alloc(0)
  const [joined, ...single] = nativePackets(scratch, [Buffer.concat(together.map(bytes)), ...alone.map(bytes)])
  const verdicts: Verdict[] = []
  alone.forEach((at, position) => (verdicts[at] = comparePackets(ours[at], single[position])))
  const isSame =
    joined &&
    !joined.refused &&
    joined.packets.join('\n') === together.flatMap(at => ours[at]?.packets ?? []).join('\n')
  // When the results of the batch differ, each stream is read by a git process of its own.
  const each = isSame ? [] : nativePackets(scratch, together.map(bytes))
  together.forEach(
    (at, position) => (verdicts[at] = isSame ? 'accepted by both' : comparePackets(ours[at], each[position])),
  )
  return verdicts
}

export function comparePackets(ours?: OurPackets, native?: NativePackets): Verdict {
  if (!ours || !native) return { fault: 'it was not judged' }
  const same = native.packets.every((packet, at) => packet === ours.packets[at])
  if (!same)
    return { fault: `git reads ${JSON.stringify(native.packets)}, and here it is ${JSON.stringify(ours.packets)}` }
  const isAll = native.packets.length === ours.packets.length
  // A stream that ends between two packets is complete for the library, while git expects more.
  const framed = ours.packets.length === native.packets.length && ours.framed
  if (native.refused && framed && !ours.refused) return { difference: 'stream that ends between two packets' }
  if (native.refused)
    return isAll && ours.refused
      ? 'refused by both'
      : {
          fault: `git refuses it after ${native.packets.length} packets; here it is ${ours.refused?.message ?? 'taken'}`,
        }
  if (!isAll || ours.refused) return { difference: 'packet that means nothing to git' }
  return 'accepted by both'
}
