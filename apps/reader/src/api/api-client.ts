import { takeEvents } from './event-stream.rules.ts'

/** An answer of the API that is no success: its status, and its message in words for the visitor. */
export class ApiFailure extends Error {
  readonly status: number
  /** The fields of the request that the API names, where it names any. */
  readonly fields: readonly string[]

  constructor(status: number, message: string, options: ErrorOptions & { fields?: readonly string[] } = {}) {
    super(message, options)
    this.status = status
    this.fields = options.fields ?? []
  }
}

/** A request of the API. */
export interface ApiRequest {
  method?: 'GET' | 'POST'
  /** Below `/v1`. */
  path: string
  query?: Record<string, string>
  body?: unknown
  token?: string
  /** Address of the visitor: requests without a token are limited by it, where the API trusts the reader as a proxy. */
  visitorAddress?: string | undefined
  /** Aborts when nobody waits for the reply any more. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the reply, where it may take longer than others. */
  timeout?: number
}

/** The text of a reply. */
export interface ApiReply {
  text: string
}

/** The name of a file for a visitor, whatever address it has at the moment. */
export interface DownloadName {
  /** The token with which the address was read. */
  token: string
  /** The same for the same file: its id in its space, or an address that it has for good. */
  key: string
}

/** How a file is fetched. */
export interface DownloadOptions {
  name?: DownloadName
  signal?: AbortSignal
}

/** Sends requests to the public API. */
export interface ApiClient {
  /** Throws an `ApiFailure`, of status 503 when the API does not answer in time. */
  send(request: ApiRequest): Promise<ApiReply>
  /** Sends what changes nothing: once more if the connection breaks, as another gateway may answer. */
  read(request: ApiRequest): Promise<ApiReply>
  /**
   * Reads the events of a stream, each when it is taken; who takes no more ends the request. Throws as `send` does, and when the stream
   * breaks off.
   */
  events<Event>(request: ApiRequest): AsyncGenerator<Event, void>
  /** Fetches a file by its download URL, wherever the API sends it from, as `read` does; the body is not read. */
  download(url: string, headers: Record<string, string>, options?: DownloadOptions): Promise<Response>
}

/** Creates a client of the API at `url`, whose download URLs begin with `publicUrl`. */
export function createApiClient({
  url,
  publicUrl,
  timeout,
}: {
  url: string
  publicUrl: string
  timeout: number
}): ApiClient {
  const open = async ({ method = 'GET', path, query, body, token, ...request }: ApiRequest): Promise<Response> => {
    const { visitorAddress, signal, timeout: limit = timeout } = request
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    return reach(`${url}/v1${path}${search}`, {
      method,
      headers: {
        'user-agent': 'Recto reader',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(visitorAddress !== undefined && { 'x-forwarded-for': visitorAddress }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]),
      redirect: 'error',
    })
  }
  const send: ApiClient['send'] = async request => {
    const response = await open(request)
    const text = await textOf(response)
    if (!response.ok) throw failureOf(response.status, text)
    return { text }
  }

  return {
    send,
    read: request => retryOnce(() => send(request)),

    async *events<Event>({ signal, ...request }: ApiRequest) {
      const ended = new AbortController()
      const response = await open({ ...request, signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]) })
      if (!response.ok || !response.body) throw failureOf(response.status, await textOf(response))
      try {
        yield* eventsIn<Event>(response.body)
      } finally {
        ended.abort()
      }
    },

    async download(link, headers, { signal } = {}) {
      const local = link.startsWith(`${publicUrl}/`) ? `${url}${link.slice(publicUrl.length)}` : link
      // The limit is for the answer to begin: a large file takes as long as its reader.
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeout)
      // Its length and its ranges are those of the file as it is.
      const asIs = { ...headers, 'accept-encoding': 'identity' }
      const once = () =>
        reach(local, { headers: asIs, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) })
      return retryOnce(once).finally(() => clearTimeout(timer))
    },
  }
}

async function textOf(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw unavailable(cause)
  })
}

/** The events of a stream, as they come. */
async function* eventsIn<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw unavailable(cause)
    })
    if (done) return
    const { events, rest } = takeEvents<Event>(text + decoder.decode(value, { stream: true }))
    text = rest
    yield* events
  }
}

async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (cause) {
    throw unavailable(cause)
  }
}

/** Repeats work that a connection has failed; one that is late is not asked for again. */
async function retryOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // `fetch` throws a `TypeError` when a connection fails, unless it is stopped.
    if (!(error instanceof ApiFailure && error.cause instanceof TypeError)) throw error
    return work()
  }
}

function unavailable(cause: unknown): ApiFailure {
  return new ApiFailure(503, 'The documentation cannot be read at the moment', { cause })
}

function failureOf(status: number, text: string): ApiFailure {
  const { message, details = [] } = errorIn(text)
  const fields = details.flatMap(({ path }) => (path === undefined ? [] : [path]))
  return new ApiFailure(status >= 500 ? 503 : status, message ?? `The API answered ${status}`, { fields })
}

/** The error in a reply; nothing of a reply that is not the API's. */
function errorIn(text: string): { message?: string; details?: { path?: string }[] } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown; details?: unknown } }
    const details = Array.isArray(error?.details) ? (error.details as { path?: string }[]) : []
    return { ...(typeof error?.message === 'string' && { message: error.message }), details }
  } catch {
    return {}
  }
}
