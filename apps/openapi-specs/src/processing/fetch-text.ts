import { discardBody, type Outgoing, OutgoingFailure, requestPlain } from '@recto/outgoing'
import { createSemaphore, type Semaphore } from '@recto/worker-pool'
import type { Validators } from '../specs/specs.rules.ts'

/** Requests at once to one host. */
const perHost = 2

/** Why a text could not be fetched. */
export class FetchFailure extends Error {
  readonly code: 'FETCH_TIMEOUT' | 'FETCH_ERROR'
  readonly detail: string

  constructor(code: FetchFailure['code'], detail: string, message: string) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** A text with the validators that its server gave it; undefined for one that has not changed since. */
export interface FetchedText extends Validators {
  text: string
  /** Its URL after redirects. */
  url: string
}

/** The address to fetch, and the limits. */
export interface TextRequest {
  url: string
  validators?: Validators
  maxBytes: number
  signal: AbortSignal
}

/** Fetches texts of foreign servers, few at once from each host. */
export function textFetcher(outgoing: Outgoing): (request: TextRequest) => Promise<FetchedText | undefined> {
  const hosts = new Map<string, { semaphore: Semaphore; users: number }>()
  return async request => {
    const { host } = new URL(request.url)
    const entry = hosts.get(host) ?? { semaphore: createSemaphore(perHost), users: 0 }
    hosts.set(host, entry)
    entry.users += 1
    try {
      const release = await entry.semaphore.take(request.signal)
      try {
        return await fetchText(outgoing, request)
      } finally {
        release()
      }
    } catch (error) {
      throw toFetchFailure(error, host)
    } finally {
      entry.users -= 1
      if (entry.users === 0) hosts.delete(host)
    }
  }
}

async function fetchText(
  outgoing: Outgoing,
  { url, validators, maxBytes, signal }: TextRequest,
): Promise<FetchedText | undefined> {
  const headers = {
    accept: 'application/json, application/yaml, text/yaml, */*;q=0.8',
    'user-agent': 'recto',
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
  }
  const reply = await requestPlain(outgoing, { url, headers, maxBytes, signal })
  if (reply.status !== 200) await discardBody(reply)
  if (reply.status === 304 && validators) return undefined
  if (reply.status !== 200)
    throw new FetchFailure('FETCH_ERROR', 'STATUS', `The server ${new URL(url).host} answered ${reply.status}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  return {
    text: Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
    url: reply.url,
    etag: reply.headers['etag'] ?? null,
    lastModified: reply.headers['last-modified'] ?? null,
  }
}

function toFetchFailure(error: unknown, host: string): unknown {
  if (!(error instanceof OutgoingFailure)) return error
  const { reason, message } = error
  if (reason === 'timeout') return new FetchFailure('FETCH_TIMEOUT', 'TIMEOUT', `The server ${host} took too long`)
  return new FetchFailure('FETCH_ERROR', reason.toUpperCase(), message)
}
