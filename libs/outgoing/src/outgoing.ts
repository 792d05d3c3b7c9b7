import { lookup } from 'node:dns/promises'
import type { Agent, Dispatcher } from 'undici'
import { lazyAgent } from './agent.ts'
import { parseAllowList } from './allow-list.ts'
import { limitedBody } from './body.ts'
import { rejectOnAbort, startDeadline, type Deadline } from './deadline.ts'
import { parseTarget, type Resolve } from './destination.ts'
import { timedOut, toOutgoingFailure } from './failures.ts'
import { OutgoingFailure } from './outgoing-failure.ts'
import { nextHop, type Hop, type OutgoingBody, type OutgoingHeaders } from './redirects.ts'

/** Limits and exceptions of outgoing requests; times are milliseconds. */
export interface OutgoingOptions {
  /** `OUTGOING_ALLOW`: hosts, host:port, addresses and CIDR blocks that may be reached although they are not public, by commas. */
  allow: string
  /** The whole exchange, with redirects and body. */
  timeoutMs: number
  /** Bytes of a reply's body. */
  maxBytes: number
  /** Connecting to one host; 10 s, or `timeoutMs` if shorter, unless given. */
  connectTimeoutMs?: number
  /** Idle time before the headers or inside the body; 60 s, or `timeoutMs` if shorter, unless given. */
  idleTimeoutMs?: number
  resolve?: Resolve
}

/** One request to a URL that a caller gave. `maxBytes` and `timeoutMs` replace the limits of the client. */
export interface OutgoingRequest {
  url: string
  method?: string
  headers?: OutgoingHeaders
  /** A function opens the bytes for each exchange, since a redirect sends them again. */
  body?: OutgoingBody
  maxBytes?: number
  timeoutMs?: number
  signal?: AbortSignal
  /** Whether redirects are followed, as they are unless given; else one is the reply. */
  followsRedirects?: boolean
}

/** The final reply after redirects. The body is as on the wire, and must be read to its end, or its loop be left by `break`. */
export interface OutgoingReply {
  status: number
  headers: OutgoingHeaders
  /** Final URL, after redirects. */
  url: string
  body: AsyncIterable<Uint8Array>
}

/** HTTP client for URLs that come from callers. */
export interface Outgoing {
  request(request: OutgoingRequest): Promise<OutgoingReply>
  close(): Promise<void>
}

const maxRedirects = 5

/** Opens a client for foreign URLs that reaches public addresses only. Its requests throw `OutgoingFailure`, or the reason of their signal. */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const {
    timeoutMs,
    connectTimeoutMs = Math.min(timeoutMs, 10_000),
    idleTimeoutMs = Math.min(timeoutMs, 60_000),
  } = options
  const destinations = {
    allow: parseAllowList(options.allow),
    resolve: options.resolve ?? systemResolve,
    timeoutMs: connectTimeoutMs,
  }
  const agent = lazyAgent(destinations, idleTimeoutMs)
  return {
    async request(request) {
      const deadline = startDeadline(request.timeoutMs ?? timeoutMs, request.signal)
      const first = {
        url: parseTarget(request.url),
        method: request.method ?? 'GET',
        headers: request.headers ?? {},
        body: request.body,
      }
      try {
        const dispatcher = await agent.open()
        const { hop, reply } =
          request.followsRedirects === false
            ? { hop: first, reply: await exchange(dispatcher, first, deadline.signal) }
            : await follow(dispatcher, first, deadline)
        const body = limitedBody(reply, {
          host: hop.url.host,
          maxBytes: request.maxBytes ?? options.maxBytes,
          deadline,
        })
        return { status: reply.statusCode, headers: flatten(reply.headers), url: hop.url.href, body }
      } catch (error) {
        deadline.end()
        throw error
      }
    },
    close: () => agent.close(),
  }
}

async function follow(agent: Agent, first: Hop, deadline: Deadline) {
  let hop = first
  for (let count = 0; count <= maxRedirects; count++) {
    const reply = await exchange(agent, hop, deadline.signal)
    const next = nextHopOrDrop(hop, reply)
    if (!next) return { hop, reply }
    discard(reply)
    hop = next
  }
  throw new OutgoingFailure('redirects', `The host ${first.url.host} redirects more than ${maxRedirects} times`)
}

function nextHopOrDrop(hop: Hop, reply: Dispatcher.ResponseData) {
  try {
    return nextHop(hop, reply.statusCode, flatten(reply.headers)['location'])
  } catch (error) {
    discard(reply)
    throw error
  }
}

function discard(reply: Dispatcher.ResponseData) {
  reply.body.on('error', () => undefined).destroy()
}

async function exchange(
  agent: Agent,
  { url, method, headers, body }: Hop,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const sent = agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers,
    body: (typeof body === 'function' ? body() : body) ?? null,
    signal,
  })
  // The agent notices an abort only once it is connected: a slow DNS server must not block the caller.
  sent.then(
    reply => signal.aborted && discard(reply),
    () => undefined,
  )
  try {
    return await Promise.race([sent, rejectOnAbort(signal)])
  } catch (error) {
    if (signal.aborted) throw signal.reason instanceof OutgoingFailure ? timedOut(url.host) : signal.reason
    throw toOutgoingFailure(error, url.host)
  }
}

async function systemResolve(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map(({ address }) => address)
}

function flatten(headers: Record<string, string | string[] | undefined>): OutgoingHeaders {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
}
