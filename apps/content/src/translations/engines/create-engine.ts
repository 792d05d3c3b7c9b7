import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, toFailure } from '@recto/operation'
import { discardBody, type Outgoing, OutgoingFailure, requestPlain } from '@recto/outgoing'
import { type Engine, type EngineAccess, type EngineBatch, EngineRefusal } from './engine.ts'
import { protocols } from './protocols.ts'

/** Settings of an engine. */
export interface EngineSettings extends EngineAccess {
  kind: keyof typeof protocols
  url: string
  timeoutMs: number
  /** Milliseconds before the first repetition of a request. */
  retryDelay: number
}

/** Requests for one batch, with its repetitions. */
const maxRequests = 4
/** Milliseconds that an engine can ask to wait. */
const maxWaitMs = 60_000
/** Bytes of a reply: some for each character that was sent. */
const replyBytes = (characters: number) => 65_536 + characters * 32

/** An engine that is reached through a client for foreign URLs, which allows its address. */
export function createEngine(outgoing: Outgoing, settings: EngineSettings): Engine {
  const { takesInstructions, batch } = protocols[settings.kind]
  return {
    takesInstructions,
    batch,
    async translate(texts, signal) {
      for (let count = 1; ; count += 1) {
        const outcome = await request(outgoing, settings, { batch: texts, signal })
        if ('texts' in outcome) return outcome.texts
        if (count === maxRequests) throw outcome.failure
        const delay = outcome.wait ?? settings.retryDelay * 2 ** (count - 1)
        await sleep(Math.min(delay, maxWaitMs), undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    },
  }
}

/** Translations, or a failure that a repetition may not meet. */
type Outcome = { texts: string[] } | { failure: Failure; wait?: number | undefined }

async function request(
  outgoing: Outgoing,
  { kind, url, timeoutMs, ...access }: EngineSettings,
  { batch, signal }: { batch: EngineBatch; signal: AbortSignal },
): Promise<Outcome> {
  const { path, headers, body } = protocols[kind].request(batch, access)
  const characters = batch.texts.reduce((sum, { length }) => sum + length, 0)
  try {
    const reply = await requestPlain(outgoing, {
      url: url + path,
      method: 'POST',
      timeoutMs,
      signal,
      maxBytes: replyBytes(characters),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    })
    if (reply.status !== 200) {
      await discardBody(reply)
      return outcomeOfStatus(reply.status, reply.headers['retry-after'])
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    return { texts: textsOf(kind, Buffer.concat(chunks).toString(), batch.texts.length) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutgoingFailure)) throw error
    if (error.reason === 'too_large') throw new EngineRefusal('answered with too much', { cause: error })
    if (error.reason === 'timeout' || error.reason === 'unreachable') return { failure: unusable(error.message, error) }
    throw unusable(error.message, error)
  }
}

function textsOf(kind: EngineSettings['kind'], reply: string, count: number): string[] {
  const texts = orUndefined(() => protocols[kind].texts(JSON.parse(reply)))
  if (!Array.isArray(texts) || texts.some(text => typeof text !== 'string'))
    throw new EngineRefusal('answered with something that is not a translation')
  if (texts.length !== count) throw new EngineRefusal(`answered with ${texts.length} texts for ${count}`)
  return texts as string[]
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The outcome of a status other than 200: texts that cannot be translated, an engine that cannot be used, or one that can be later. */
function outcomeOfStatus(status: number, retryAfter: string | undefined): Outcome {
  if (status === 400 || status === 413 || status === 422) throw new EngineRefusal(`answered ${status}`)
  const failure = unusable(`The translation engine answered ${status}`)
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
