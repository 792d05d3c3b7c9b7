import { RawIndex } from './raw-index.ts'

/** A compared input; for an index, `packBytes` is the size of its pack. */
export interface Judged {
  bytes: Buffer
  packBytes?: number
}

/** An intended difference between this library and native git. */
export interface Difference {
  kind: 'pack' | 'index' | 'packets'
  /** For input that only this library refuses: its error message. */
  message?: RegExp
  /** For input that only git refuses: git's error message. */
  complaint?: RegExp
  /** Whether the input has the property in question, determined without the library. */
  applies?(input: Judged): boolean
  why: string
}

const ofIndex =
  (is: (index: RawIndex, packBytes: number) => boolean) =>
  ({ bytes, packBytes = 0 }: Judged) =>
    is(new RawIndex(bytes), packBytes)

/** All intended differences by name. Any other difference between git and the library is a fault. */
export const differences = {
  'number with needless bytes': {
    kind: 'pack',
    message: /a number of more bytes than any number needs/,
    why: 'git shifts beyond its own width, which C leaves undefined',
  },
  'delta whose sizes are cut off': {
    kind: 'pack',
    message: /a delta whose sizes are cut off/,
    why: 'git takes what is there of a size for all of it',
  },
  'chain of too many deltas': {
    kind: 'pack',
    message: /a chain of more than \d+ deltas/,
    applies: ({ bytes }) => bytes.readUInt32BE(8) > 10_000,
    why: 'git never writes more than 4,095, and each costs time whenever the last object is read',
  },
  'delta by id on an object that is there twice': {
    kind: 'pack',
    complaint: /already resolved \(duplicate base/,
    why: 'either of the two is the right base; later versions of git take it, too',
  },
  'object over the limit': { kind: 'pack', why: 'objects larger than the caller wants are left out, and said to be' },
  'object over the limit that is broken': {
    kind: 'pack',
    why: 'of what is left out, deltas are not applied and ids are not known',
  },
  'index of another version': {
    kind: 'index',
    message: /is not of version 2/,
    applies: ({ bytes }) => bytes.toString('hex', 0, 8) !== 'ff744f6300000002',
    why: 'git writes version 1 only when it is told to',
  },
  'index with the wrong checksum': {
    kind: 'index',
    message: /does not match its checksum/,
    applies: ofIndex(index => !index.isSound),
    why: 'git verifies it in fsck only',
  },
  'index with names out of order': {
    kind: 'index',
    message: /names out of order/,
    applies: ofIndex(({ names }) => names.some((name, at) => at > 0 && name.compare(names[at - 1] ?? name) < 0)),
    why: 'a binary search would miss objects that are there',
  },
  'index that counts its names wrongly': {
    kind: 'index',
    message: /counts its names wrongly/,
    applies: ofIndex(index =>
      Array.from({ length: 256 }, (_, first) => first).some(
        first => index.counted(first) !== index.names.filter(name => (name[0] ?? 0) <= first).length,
      ),
    ),
    why: 'git searches between the counts, and misses objects',
  },
  'index with an offset outside of its pack': {
    kind: 'index',
    message: /an offset outside of its pack/,
    applies: ofIndex(({ starts }, packBytes) =>
      starts.some(start => start !== undefined && (start < 12 || start >= packBytes - 20)),
    ),
    why: 'git notices when it reads the object',
  },
  'index with large offsets out of order': {
    kind: 'index',
    message: /refers to large offsets out of order/,
    applies: ofIndex(({ references, largeBytes }) =>
      references.some((reference, at) => reference !== at || reference * 8 + 8 > largeBytes),
    ),
    why: 'git itself takes them in order at one place and by their number at another',
  },
  'index with large offsets that are not used': {
    kind: 'index',
    message: /large offsets that nothing refers to/,
    applies: ofIndex(({ references, largeBytes }) => references.length * 8 < largeBytes),
    why: 'no writer makes them',
  },
  'index with two names for one entry': {
    kind: 'index',
    message: /two names for one entry/,
    applies: ofIndex(({ starts }) => new Set(starts).size < starts.length),
    why: 'one entry holds one object',
  },
  'index with half of an offset': {
    kind: 'index',
    message: /has the wrong size/,
    applies: ofIndex(({ largeBytes }) => largeBytes % 8 !== 0),
    why: 'git takes any size between the least and the most',
  },
  'packet that means nothing to git': {
    kind: 'packets',
    why: 'git reads on only where it understands; up to there the packets are the same',
  },
  'stream that ends between two packets': {
    kind: 'packets',
    why: 'whether more has to follow is not for the framing to say',
  },
} as const satisfies Record<string, Difference>

/** The name of an intended difference. */
export type DifferenceName = keyof typeof differences

const entries = Object.entries<Difference>(differences) as [DifferenceName, Difference][]

/** Finds the difference that explains why only this library refuses an input. */
export function stricter(kind: Difference['kind'], message: string, input: Judged): DifferenceName | undefined {
  return entries.find(
    ([, { kind: own, message: refusal, applies = () => true }]) =>
      own === kind && refusal?.test(message) && applies(input),
  )?.[0]
}

/** Finds the difference that explains why only git refuses an input. */
export function laxer(kind: Difference['kind'], complaint: string): DifferenceName | undefined {
  return entries.find(([, difference]) => difference.kind === kind && difference.complaint?.test(complaint))?.[0]
}
