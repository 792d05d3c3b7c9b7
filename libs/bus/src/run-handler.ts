import { createHash } from 'node:crypto'
import type { Msg } from '@nats-io/transport-node'
import {
  actorOf,
  changesSomething,
  createsSomething,
  eventStream,
  Failure,
  runWithOrigin,
  statusOf,
  type Caller,
  type Operation,
  type Origin,
} from '@recto/operation'
import type { WireReply } from './chunks.ts'
import { entityTag, ifMatchTags, NotModified, noneMatchNames } from './conditions.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeEvents } from './events.ts'
import { parseInput, type ParsedInput } from './parse.ts'
import { defaultStatus, header } from './wire.ts'

/** The request's metadata, passed to a handler's context. */
export interface RequestMeta<Actor extends Caller = Caller> {
  /** Who makes the request; undefined on public rows and on calls between services. */
  actor: Actor | undefined
  requestId: string
  /** Milliseconds since the epoch after which the caller no longer waits. */
  deadline: number
  /** Identifies this attempt at a request with an `Idempotency-Key`; undefined for others. */
  attempt: string | undefined
  /** Aborts when nobody waits for the events of a stream any more; for other replies it never does. */
  signal: AbortSignal
  /** Serialises the operation and its parameters without `page` and `limit`: the key that ties a cursor to its list. */
  requestFingerprint(): string
  /** Sets the `Location` header of the reply; it wins over the reply's `urls.location`. */
  setLocation(url: string): void
  /** Sets a cookie of the browser by the value of a `Set-Cookie` header (RFC 6265); a failure sets none. */
  setCookie(cookie: string): void
  /** Answers 201 from a row that may create, because this request did. */
  setCreated(): void
  /** Sets the `ETag` of the reply from an opaque tag. Throws `NotModified` when the `If-None-Match` of a GET names it, so call it before the work that this saves. A weak one stands for representations that differ in form. */
  setETag(tag: string, strength?: { isWeak: boolean }): void
  /** The opaque tags of the request's `If-Match`; undefined when any current state will do. Throws `invalid_request` for a malformed one. */
  ifMatch(): string[] | undefined
  /** Delays the reply of a handler that succeeds until this work is done; a rejection fails the request. */
  beforeReply(work: Promise<unknown>): void
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  operationId: string
  userId: string
  key: string
  /** SHA-256 of parameters, query and body, in hexadecimal. */
  fingerprint: string
  /** Milliseconds since the epoch. */
  deadline: number
}

/**
 * Carries out a keyed request unless that was done before, and resolves with the first reply. `run` gets the id of the attempt.
 * Throws `conflict` for a key that was used for another request.
 */
export type RunOnce = (request: KeyedRequest, run: (attempt: string) => Promise<WireReply>) => Promise<WireReply>

/** A row, its handler, and what it is run with. */
export interface Target<Context> {
  id: string
  row: Operation
  handler: ((input: never, context: Context) => Promise<unknown>) | undefined
  context(meta: RequestMeta<never>): Context
  once?: RunOnce | undefined
}

/** A message that requests an operation. */
export interface Request {
  message: Msg
  deadline: number
  requestId: string
}

const maxKeyLength = 255

/** The signal of replies that are no streams. */
const neverAborted = new AbortController().signal

/** Parses a request, runs its handler, and encodes the reply, which is 304 without a body for `NotModified`. Throws `Failure`. */
export async function runHandler<Context>(target: Target<Context>, request: Request): Promise<WireReply> {
  try {
    return await parseAndReply(target, request)
  } catch (error) {
    if (!(error instanceof NotModified)) throw error
    return { headers: { [header.status]: '304', [header.etag]: error.etag }, body: new Uint8Array() }
  }
}

/** Throws synchronously, too: `runHandler` awaits it inside its `try`. */
function parseAndReply<Context>(target: Target<Context>, request: Request): Promise<WireReply> {
  const { id, row, once } = target
  const { message, deadline } = request
  const params = message.headers?.get(header.params) ?? ''
  const input = parseInput(row, params, message.data)
  const actorJson = message.headers?.get(header.actor)
  const actor = actorJson ? (JSON.parse(actorJson) as Caller) : undefined
  if (!actor && row.route && !row.access?.public) throw new Failure('unauthenticated', 'An access token is needed')
  const run = (attempt?: string) => replyOf(target, { ...request, input, actor, attempt })
  const key = message.headers?.get(header.idempotencyKey)
  if (!key || !once || !actor || !createsSomething(row)) return run()
  const fingerprint = createHash('sha256').update(`${params.length}:${params}`).update(message.data).digest('hex')
  return once({ operationId: id, userId: senderOf(actor), key: checkKey(key), fingerprint, deadline }, run)
}

/** Whose keys a request uses: a token that is limited to resources does not get the replies to others of its user. */
function senderOf({ userId, limitedTo }: Caller): string {
  return limitedTo ? JSON.stringify([userId, limitedTo]) : userId
}

function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= maxKeyLength) return key
  const message = `must have at most ${maxKeyLength} visible ASCII characters`
  throw new Failure('invalid_request', `Idempotency-Key ${message}`, {
    details: [{ path: 'headers.Idempotency-Key', message }],
  })
}

interface ParsedRequest extends Request {
  input: ParsedInput
  actor: Caller | undefined
  attempt: string | undefined
}

async function replyOf<Context>(target: Target<Context>, request: ParsedRequest): Promise<WireReply> {
  const { id, row, handler } = target
  if (!handler) throw new Failure('internal', `No handler for ${id}`)
  const set: { location?: string; cookie?: string; etag?: string; created?: true } = {}
  const pending: Promise<unknown>[] = []
  const { message, actor, requestId, deadline, attempt, input } = request
  const stopping = row.response?.mediaType === eventStream ? new AbortController() : undefined
  const meta: RequestMeta = {
    actor,
    requestId,
    deadline,
    attempt,
    signal: stopping?.signal ?? neverAborted,
    requestFingerprint: () => fingerprintOf(id, input),
    setLocation: url => void (set.location = url),
    setCookie: cookie => void (set.cookie = cookie),
    setCreated: () => void (set.created = true),
    setETag: (tag, strength) => {
      set.etag = entityTag(tag, strength)
      const ifNoneMatch = message.headers?.get(header.ifNoneMatch)
      if (ifNoneMatch && row.route?.startsWith('GET ') && noneMatchNames(ifNoneMatch, set.etag))
        throw new NotModified(set.etag)
    },
    ifMatch: () => ifMatchTags(message.headers?.get(header.ifMatch) || undefined),
    beforeReply: work => void pending.push(work),
  }
  const answer = () => handler(input as never, target.context(meta as RequestMeta<never>))
  const origin = originOf(target, request)
  const replied = await (origin ? runWithOrigin(origin, answer) : answer())
  if (stopping) {
    const events = encodeEvents(row, replied as AsyncIterable<unknown>)
    return { headers: {}, body: new Uint8Array(), events: { events, deadline, stop: () => stopping.abort() } }
  }
  const encoding = encodeReply(row, replied)
  const { shaped, body } = encoding instanceof Promise ? await encoding : encoding
  if (pending.length > 0) await Promise.all(pending)
  const status = statusOfReply(row, {
    isCreated: set.created === true,
    isEmpty: shaped === undefined && body.byteLength === 0,
  })
  const location = set.location ?? (status === 201 ? locationOf(shaped) : undefined)
  const headers = {
    [header.status]: status === defaultStatus ? undefined : `${status}`,
    [header.location]: location,
    [header.cookie]: set.cookie,
    [header.etag]: set.etag,
  }
  return { headers, body }
}

/** The origin of what a request changes: as its sender says, or its caller. Reads change nothing. */
function originOf<Context>({ id, row }: Target<Context>, { message, actor, requestId }: ParsedRequest) {
  const sent = message.headers?.get(header.origin)
  if (sent) return JSON.parse(sent) as Origin
  if (!row.route || !changesSomething(row)) return undefined
  return { ...(actor && { actor: actorOf(actor) }), operationId: id, requestId }
}

function fingerprintOf(id: string, { params, query }: { params: unknown; query: unknown }): string {
  const { page: _page, limit: _limit, ...filters } = (query ?? {}) as Record<string, unknown>
  return JSON.stringify([id, params, filters])
}

function statusOfReply(row: Operation, { isCreated, isEmpty }: { isCreated: boolean; isEmpty: boolean }): number {
  if (row.creates === 'ifAbsent' && isCreated) return 201
  return row.response?.isOptional && isEmpty ? 204 : statusOf(row)
}

function locationOf(reply: unknown): string | undefined {
  return (reply as { urls?: { location?: string } } | undefined)?.urls?.location
}
