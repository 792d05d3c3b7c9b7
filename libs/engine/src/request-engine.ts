import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, toFailure } from '@recto/operation'
import { discardBody, type Outgoing, OutgoingFailure, type OutgoingReply, requestPlain } from '@recto/outgoing'

/** The access to an engine. */
export interface EngineAccess {
  key: string | undefined
  model: string | undefined
}

/** A request to an engine. */
export interface EngineRequest {
  /** The engine in the words of messages, such as `translation engine`. */
  name: string
  url: string
  headers: Record<string, string>
  body: object
  /** Milliseconds for one attempt. */
  timeoutMs: number
  /** Bytes of the reply. */
  maxBytes: number
  /** Milliseconds before the first repetition; it doubles each time. */
  retryDelay: number
  signal: AbortSignal
}

/** The body of a reply with the status 200. */
export type EngineReply = Pick<OutgoingReply, 'body'>

/** Attempts at one request. */
const maxAttempts = 4
/** Milliseconds that an engine can ask to wait. */
const maxWaitMs = 60_000

/** The engine answered, but not with what it was asked for: a smaller request may fare better. */
export class EngineRefusal extends Error {
  constructor(engine: string, reason: string, options: { cause?: Failure } = {}) {
    super(`The ${engine} ${reason}`, options)
    this.name = 'EngineRefusal'
  }
}

/** A result, or a failure that a repetition may not meet. */
type Outcome<Result> = { result: Result } | { failure: Failure; wait?: number | undefined }

/**
 * Sends a request, again while the engine is busy or not reached, and resolves with what `read` makes of the reply. Throws `EngineRefusal`
 * when the engine refuses the request or answers with too much, and `unavailable` when it cannot be used.
 */
export async function requestEngine<Result>(
  outgoing: Outgoing,
  request: EngineRequest,
  read: (reply: EngineReply) => Promise<Result>,
): Promise<Result> {
  const { signal, retryDelay } = request
  for (let count = 1; ; count += 1) {
    const outcome = await attempt(outgoing, request, read)
    if ('result' in outcome) return outcome.result
    if (count === maxAttempts) throw outcome.failure
    const delay = outcome.wait ?? retryDelay * 2 ** (count - 1)
    await sleep(Math.min(delay, maxWaitMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function attempt<Result>(
  outgoing: Outgoing,
  { name, url, headers, body, timeoutMs, maxBytes, signal }: EngineRequest,
  read: (reply: EngineReply) => Promise<Result>,
): Promise<Outcome<Result>> {
  try {
    const reply = await requestPlain(outgoing, {
      url,
      method: 'POST',
      timeoutMs,
      signal,
      maxBytes,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    })
    if (reply.status === 200) return { result: await read(reply) }
    await discardBody(reply)
    return outcomeOfStatus(name, reply.status, reply.headers['retry-after'])
  } catch (error) {
    signal.throwIfAborted()
    const failure = engineFailure(name, error)
    if (failure instanceof EngineRefusal || !isPassing(error)) throw failure
    return { failure: toFailure(failure) }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof OutgoingFailure && (error.reason === 'timeout' || error.reason === 'unreachable')

/** The failure of an exchange with an engine, in words that callers may read; anything else is what it was. */
export function engineFailure(name: string, error: unknown): unknown {
  if (!(error instanceof OutgoingFailure)) return error
  if (error.reason === 'too_large')
    return new EngineRefusal(name, 'answered with too much', { cause: toFailure(error) })
  return unusable(error.message, error)
}

/** The outcome of a status other than 200: a request that is refused, an engine that cannot be used, or one that can be later. */
function outcomeOfStatus(name: string, status: number, retryAfter: string | undefined): Outcome<never> {
  if (status === 400 || status === 413 || status === 422) throw new EngineRefusal(name, `answered ${status}`)
  const failure = unusable(`The ${name} answered ${status}`)
  if (status !== 429 && status < 500) throw failure
  return { failure, wait: waitOf(retryAfter) }
}

function unusable(message: string, cause?: unknown): Failure {
  return new Failure('unavailable', message, cause === undefined ? {} : { cause: toFailure(cause) })
}

/** Milliseconds of a `Retry-After`, which is in seconds or a date. */
function waitOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** The part of `OUTGOING_ALLOW` that an engine needs: operators may run it on a private network. */
export function allowanceFor(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
