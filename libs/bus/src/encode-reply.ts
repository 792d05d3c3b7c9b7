import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Operation } from '@recto/operation'
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
const known = new WeakMap<object, Encoded & { row: Operation }>()

/** Encodes a reply as `encodeNew` does; the same object of an immutable row only once. */
export async function encodeReply(row: Operation, reply: unknown): Promise<Encoded> {
  if (!row.immutable || typeof reply !== 'object' || reply === null) return encodeNew(row, reply)
  const before = known.get(reply)
  if (before?.row === row) return before
  const encoded = await encodeNew(row, reply)
  known.set(reply, { ...encoded, row })
  return encoded
}

/**
 * Shapes a reply by its row and encodes it. Large arrays of the reply are shaped and encoded in slices, so that a reply of ten
 * megabytes does not keep other requests waiting. Throws `internal` when the reply does not match.
 */
async function encodeNew(row: Operation, reply: unknown): Promise<Encoded> {
  const large = largeArraysOf(row.reply, reply)
  if (large.length === 0) {
    const shaped = shapeReply(row.reply, reply)
    return { shaped, body: encodeWhole(row, shaped) }
  }
  const empty = Object.fromEntries(large.map(({ name }): [string, unknown[]] => [name, []]))
  const shaped = shapeReply(row.reply, { ...(reply as object), ...empty }) as Record<string, unknown>
  return { shaped, body: await inTurn(() => encodeInSlices(shaped, large)) }
}

function encodeWhole(row: Operation, reply: unknown): Uint8Array {
  if (reply === undefined) return new Uint8Array()
  return encoder.encode(row.produces ? String(reply) : JSON.stringify(reply))
}

interface LargeArray {
  name: string
  items: unknown[]
  schema: z.ZodType
}

/** The fields of an object that are arrays with many items, by value and by schema. */
function largeArraysOf(schema: z.ZodType, reply: unknown): LargeArray[] {
  if (!(schema instanceof z.ZodObject) || typeof reply !== 'object' || reply === null) return []
  return Object.entries(reply).flatMap(([name, items]: [string, unknown]) => {
    const field: unknown = schema.shape[name]
    const isLarge = Array.isArray(items) && items.length > largeArray && field instanceof z.ZodArray
    return isLarge ? [{ name, items, schema: field.element as z.ZodType }] : []
  })
}

async function encodeInSlices(shaped: Record<string, unknown>, large: LargeArray[]): Promise<Uint8Array> {
  const encoded: Uint8Array[] = []
  let started = performance.now()
  for (const text of piecesOf(shaped, large)) {
    encoded.push(encoder.encode(text))
    if (performance.now() - started < sliceMs) continue
    await nextTurn()
    started = performance.now()
  }
  return Buffer.concat(encoded)
}

/** The text of a reply, an item of its large arrays at a time. */
function* piecesOf(shaped: Record<string, unknown>, large: LargeArray[]): Generator<string> {
  let separator = '{'
  for (const [name, value] of Object.entries(shaped)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    const array = large.find(one => one.name === name)
    if (array) yield* itemsOf(array)
    else yield JSON.stringify(value)
  }
  yield '}'
}

function* itemsOf({ items, schema }: LargeArray): Generator<string> {
  for (const [at, item] of items.entries())
    yield `${at === 0 ? '[' : ','}${JSON.stringify(shapeReply(schema, item) ?? null)}`
  yield ']'
}

let last: Promise<void> = Promise.resolve()
const forget = (): void => undefined

/** Encodes one large reply after another: of several at once, each would add its slice to every turn. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work)
  last = turn.then(forget, forget)
  return turn
}
