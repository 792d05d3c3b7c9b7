import { type Outgoing, requestPlain } from '@recto/outgoing'

/** Limits of one exchange with a server. */
export interface ExchangeLimits {
  /** Bytes of a reply. */
  maxBytes: number
  /** Milliseconds of an exchange, streams included. */
  timeoutMs: number
}

/** The function by which the SDK asks a server. */
export type ClientFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Statuses whose replies have no body. */
const withoutBody = new Set([204, 205, 304])

/** A `fetch` for the SDK that reaches what a client for foreign URLs reaches. Redirects are left to the SDK, which stays in the origin of the server. */
export function clientFetch(outgoing: Pick<Outgoing, 'request'>, limits: ExchangeLimits): ClientFetch {
  return async (url, init = {}) => {
    const { method = 'GET', body, signal } = init
    const unwanted = new AbortController()
    const end = () => unwanted.abort()
    const reply = await requestPlain(outgoing, {
      ...limits,
      url: String(url),
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      followsRedirects: false,
      signal: AbortSignal.any([unwanted.signal, ...(signal ? [signal] : [])]),
      ...(typeof body === 'string' && { body }),
    })
    const hasNone = withoutBody.has(reply.status)
    if (hasNone) end()
    const stream = hasNone ? null : streamOf(reply.body, end)
    return new Response(stream, { status: reply.status, headers: reply.headers })
  }
}

/** A body as a stream, whose chunks are read when they are asked for. A body of which nothing was read ends only by `end`. */
function streamOf(body: AsyncIterable<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
