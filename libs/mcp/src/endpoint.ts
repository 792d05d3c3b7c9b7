import { orAborted } from './or-aborted.ts'
import { commonHeaders, mcpError, mcpErrorCodes, type McpResponse } from './response.ts'
import { loadSdk } from './sdk.ts'
import { buildServer, type McpServer } from './server.ts'

/** A POST as it arrived. */
export interface McpRequest {
  url: string
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** The client, as far as requests of one are limited. */
  client: string
  /** Aborts when the client has gone. */
  signal?: AbortSignal | undefined
}

/** The limits of one process for all its clients. */
export interface McpLimits {
  /** Requests at the same time, and those of one client. */
  concurrency: number
  concurrencyOfClient: number
  /** Milliseconds of one request. */
  timeoutMs: number
  /** Bytes of the body of a request. */
  bodyBytes: number
}

/**
 * Answers a request with the server that `open` resolves to. Rejects with what `open` rejects with, and with what a tool threw that is no
 * `ToolFailure`.
 */
export type McpEndpoint = (
  request: McpRequest,
  open: (signal: AbortSignal) => Promise<McpServer>,
) => Promise<McpResponse>

/** A JSON-RPC message, as far as it is looked at before the SDK reads it. */
interface Message {
  id?: unknown
}

/** Creates the endpoint of a server by Streamable HTTP, without sessions: each request is answered by itself, with JSON. */
export function createMcpEndpoint({ timeoutMs, bodyBytes, ...limits }: McpLimits): McpEndpoint {
  const places = createPlaces(limits)
  return async (request, open) => {
    if (Buffer.byteLength(request.body) > bodyBytes) return tooLarge(bodyBytes)
    const message = parse(request.body)
    if (message === undefined || Array.isArray(message)) return unreadable(message)
    const leave = places.take(request.client)
    if (!leave) return busy(idOf(message))
    const late = AbortSignal.timeout(timeoutMs)
    try {
      return await answer(request, { open, message, late })
    } finally {
      leave()
    }
  }
}

/** Creates places for requests; `take` returns the way to leave one, and nothing where there is none. */
function createPlaces({ concurrency, concurrencyOfClient }: Pick<McpLimits, 'concurrency' | 'concurrencyOfClient'>): {
  take(client: string): (() => void) | undefined
} {
  let active = 0
  const ofClients = new Map<string, number>()
  return {
    take(client) {
      const ofClient = ofClients.get(client) ?? 0
      if (active >= concurrency || ofClient >= concurrencyOfClient) return undefined
      active += 1
      ofClients.set(client, ofClient + 1)
      return () => {
        active -= 1
        const left = (ofClients.get(client) ?? 1) - 1
        if (left > 0) ofClients.set(client, left)
        else ofClients.delete(client)
      }
    },
  }
}

interface Answering {
  open(signal: AbortSignal): Promise<McpServer>
  message: Message
  late: AbortSignal
}

async function answer(request: McpRequest, { open, message, late }: Answering): Promise<McpResponse> {
  // Work that is left unfinished when the answer is there has nobody to read it.
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, late, ...(request.signal ? [request.signal] : [])])
  try {
    return await orAborted(signal, serve(request, { open, message, signal }))
  } catch (error) {
    if (late.aborted) return tooLate(idOf(message))
    throw error
  } finally {
    over.abort()
  }
}

async function serve(
  { url, headers, body }: McpRequest,
  { open, message, signal }: Omit<Answering, 'late'> & { signal: AbortSignal },
): Promise<McpResponse> {
  const [sdk, description] = await Promise.all([loadSdk(), open(signal)])
  const errors: unknown[] = []
  const server = buildServer(sdk, description, { signal, notice: error => void errors.push(error) })
  const transport = new sdk.Transport({ enableJsonResponse: true })
  const close = () => void server.close()
  signal.addEventListener('abort', close, { once: true })
  // The SDK declares its optional fields without `undefined`.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  const webRequest = new Request(url, { method: 'POST', headers: textHeaders(headers), body })
  const response = await transport.handleRequest(webRequest, { parsedBody: message })
  if (errors.length > 0) throw errors[0]
  const text = await response.text()
  return {
    status: response.status,
    headers: response.status === 202 ? { 'cache-control': 'no-store' } : commonHeaders,
    body: text === '' ? null : text,
  }
}

/** Headers that the transport reads. Others, such as credentials, are none of its business. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']

function textHeaders(headers: McpRequest['headers']): [string, string][] {
  return readHeaders.flatMap(name => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value]]
  })
}

/** A message; undefined for text that is no JSON of an object or a list. */
function parse(body: string): Message | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function idOf({ id }: Message): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function unreadable(message: unknown): McpResponse {
  if (message === undefined)
    return mcpError({ status: 400, code: mcpErrorCodes.parse, message: 'The body must be a JSON-RPC message' })
  const text = 'Batches are not supported: send each message in a request of its own'
  return mcpError({ status: 400, code: mcpErrorCodes.invalidRequest, message: text })
}

function tooLarge(bytes: number): McpResponse {
  const message = `The body is larger than ${bytes} bytes`
  return mcpError({ status: 413, code: mcpErrorCodes.refused, message })
}

function busy(id: string | number | null): McpResponse {
  const message = 'Too many requests at the same time: send it again in a moment'
  return mcpError({ status: 503, code: mcpErrorCodes.refused, message, id, headers: { 'retry-after': '1' } })
}

function tooLate(id: string | number | null): McpResponse {
  const message = 'The request took too long and was stopped'
  return mcpError({ status: 504, code: mcpErrorCodes.timeout, message, id })
}
