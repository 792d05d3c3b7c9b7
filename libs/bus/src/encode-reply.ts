import { setImmediate as nextTurn } from 'node:timers/promises'
import { JsonText, type Operation } from '@recto/operation'
import { z } from 'zod'
import { shapeReply } from './parse.ts'

/** Items above which an array of a reply is encoded in slices. */
const largeArray = 20
/** Milliseconds of one slice: what another request waits for at most, items being small. */
const sliceMs = 4

const encoder = new TextEncoder()

interface Encoded {
  shaped: unknown
  body: Uint8Array
}

/** Replies of immutable rows by the object that a handler returned: one that returns it again has it encoded already. It lives as long as that object. */
const encodedReplies = new WeakMap<object, Encoded & { row: Operation }>()

/** Encodes a reply as `encodeNew` does; the same object of an immutable row only once. Throws for a small reply, and rejects for a large one. */
export function encodeReply(row: Operation, reply: unknown): Encoded | Promise<Encoded> {
  if (!row.cache?.immutable || typeof reply !== 'object' || reply === null) return encodeNew(row, reply)
  const before = encodedReplies.get(reply)
  return before?.row === row ? before : encodeOnce(row, reply)
}

async function encodeOnce(row: Operation, reply: object): Promise<Encoded> {
  const encoded = await encodeNew(row, reply)
  encodedReplies.set(reply, { ...encoded, row })
  return encoded
}

/**
 * Shapes a reply by its row and encodes it, synchronously unless it is large: a promise costs as much as encoding a small reply. Large
 * arrays of the reply are shaped and encoded in slices, so that a reply of ten megabytes does not keep other requests waiting, and JSON
 * texts are copied. Throws `internal` when the reply does not match.
 */
function encodeNew(row: Operation, reply: unknown): Encoded | Promise<Encoded> {
  if (reply instanceof JsonText) return { shaped: undefined, body: reply.bytes }
  const large = largeFieldsOf(row.reply, reply)
  if (large.length === 0) {
    const shaped = shapeReply(row.reply, reply)
    return { shaped, body: encodeWhole(row, shaped) }
  }
  return encodeLarge(row, reply as object, large)
}

async function encodeLarge(row: Operation, reply: object, large: LargeField[]): Promise<Encoded> {
  const empty = Object.fromEntries(large.map(field => [field.name, 'items' in field ? [] : {}]))
  const shaped = shapeReply(row.reply, { ...reply, ...empty }) as Record<string, unknown>
  return { shaped, body: await runExclusive(() => encodeInSlices(shaped, large)) }
}

function encodeWhole(row: Operation, reply: unknown): Uint8Array {
  if (reply === undefined) return new Uint8Array()
  return Buffer.from(row.response?.mediaType ? String(reply) : JSON.stringify(reply))
}

interface LargeArray {
  name: string
  items: unknown[]
  schema: z.ZodType
}

interface TextField {
  name: string
  bytes: Uint8Array
}

/** The fields of an object that are JSON texts, or arrays with many items, by value and by schema; values are looked at first, which is cheap. */
function largeFieldsOf(schema: z.ZodType, reply: unknown): LargeField[] {
  const large: LargeField[] = []
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return large
  for (const name of Object.keys(reply)) {
    const value = (reply as Record<string, unknown>)[name]
    if (value instanceof JsonText) large.push({ name, bytes: value.bytes })
    else if (Array.isArray(value) && value.length > largeArray && schema instanceof z.ZodObject) {
      const field: unknown = schema.shape[name]
      if (field instanceof z.ZodArray) large.push({ name, items: value, schema: field.element as z.ZodType })
    }
  }
  return large
}

async function encodeInSlices(shaped: Record<string, unknown>, large: LargeField[]): Promise<Uint8Array> {
  const encoded: Uint8Array[] = []
  let started = performance.now()
  for (const piece of piecesOf(shaped, large)) {
    encoded.push(typeof piece === 'string' ? encoder.encode(piece) : piece)
    if (performance.now() - started < sliceMs) continue
    await nextTurn()
    started = performance.now()
  }
  return Buffer.concat(encoded)
}

type LargeField = LargeArray | TextField

/** The text of a reply, an item of its large arrays at a time, and its JSON texts as they are. */
function* piecesOf(shaped: Record<string, unknown>, large: LargeField[]): Generator<string | Uint8Array> {
  let separator = '{'
  for (const [name, value] of Object.entries(shaped)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    const field = large.find(one => one.name === name)
    if (!field) yield JSON.stringify(value)
    else if ('bytes' in field) yield field.bytes
    else yield* itemsOf(field)
  }
  yield '}'
}

function* itemsOf({ items, schema }: LargeArray): Generator<string> {
  for (const [at, item] of items.entries())
    yield `${at === 0 ? '[' : ','}${JSON.stringify(shapeReply(schema, item) ?? null)}`
  yield ']'
}

let last: Promise<void> = Promise.resolve()
/** Drops the result or the error of an encoding, so that the next one starts either way. */
const ignoreOutcome = (): void => undefined

/** Encodes one large reply after another: of several at once, each would add its slice to every turn. */
function runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work)
  last = turn.then(ignoreOutcome, ignoreOutcome)
  return turn
}
