import type { Outgoing } from '@recto/outgoing'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type ClientFetch, clientFetch } from './client-fetch.ts'
import { orAborted } from './or-aborted.ts'
import { type ClientSdk, loadClientSdk } from './sdk.ts'

/** A server that a client connects to. */
export interface RemoteServer {
  url: string
  /** `http` is Streamable HTTP, `sse` the older transport of two endpoints. */
  transport: 'http' | 'sse'
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>
}

/** A tool of another server, as that server describes it: nothing of it is trusted. */
export interface RemoteTool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Record<string, unknown>
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined
}

/** The result of a tool of another server, as text. */
export interface RemoteResult {
  text: string
  /** Whether the tool says that it failed. */
  isError: boolean
}

/** Limits of a client; a call has a time of its own. */
export interface ClientLimits {
  /** Bytes of one reply. */
  maxBytes: number
  /** Milliseconds to connect, and to list all tools. */
  openMs: number
  /** Milliseconds of a call. */
  callMs: number
  /** Milliseconds after which every stream ends. */
  lifetimeMs: number
  maxTools: number
}

/** A connection to a server. Its methods reject with an error whose words are not for others: they may have those of the server. */
export interface McpClient {
  tools: readonly RemoteTool[]
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<RemoteResult>
  /** Ends the connection, and the session where there is one. */
  close(): Promise<void>
}

interface ClientOptions extends RemoteServer {
  outgoing: Pick<Outgoing, 'request'>
  limits: ClientLimits
  signal: AbortSignal
  version: string
}

/** Milliseconds in which a server is told that a session is over. */
const partingMs = 1_000

/** Connects to a server and lists its tools; rejects when that takes too long. The connection ends when the signal aborts. */
export async function openMcpClient({
  outgoing,
  limits,
  signal: outer,
  version,
  ...server
}: ClientOptions): Promise<McpClient> {
  const sdk = await loadClientSdk()
  const signal = ownSignal(outer)
  signal.throwIfAborted()
  const fetch = clientFetch(outgoing, { maxBytes: limits.maxBytes, timeoutMs: limits.lifetimeMs })
  const transport = transportTo(sdk, server, fetch)
  // No capabilities: requests of the server for the model, the files or the words of a user are refused.
  const client = new sdk.Client({ name: 'recto', version }, { capabilities: {}, jsonSchemaValidator: sdk.validator })
  const close = once(async () => {
    signal.removeEventListener('abort', abandon)
    if (transport instanceof sdk.HttpTransport) await within(partingMs, transport.terminateSession())
    await client.close()
  })
  const abandon = () => void close().catch(() => undefined)
  signal.addEventListener('abort', abandon, { once: true })
  // A stream that broke off would be connected again and again, while calls wait for an answer that was lost. The SDK begins to wait for
  // that after it has told of it.
  if (server.transport === 'sse') client.onerror = () => void setImmediate(abandon)
  try {
    const opening = AbortSignal.any([signal, AbortSignal.timeout(limits.openMs)])
    const request = () => ({ signal: ownSignal(opening), timeout: limits.openMs })
    // The time of `connect` does not cover the transport, which waits for the first event of a stream.
    await orAborted(opening, client.connect(transport as Transport, request()))
    const tools = await listTools({ sdk, client, request, max: limits.maxTools })
    return { tools, call: (name, input, of) => call({ sdk, client, limits }, { name, input, signal: of }), close }
  } catch (error) {
    abandon()
    throw error
  }
}

type Client = InstanceType<ClientSdk['Client']>

function transportTo(sdk: ClientSdk, { url, transport, headers }: RemoteServer, fetch: ClientFetch) {
  const options = { requestInit: { headers: { ...headers } } }
  if (transport === 'sse') return new sdk.SseTransport(new URL(url), { ...options, fetch })
  return new sdk.HttpTransport(new URL(url), { ...options, fetch: withoutListening(fetch) })
}

/** Opens no stream for what a server says unasked: nobody listens. A stream that goes on after it broke off is opened. */
function withoutListening(fetch: ClientFetch): ClientFetch {
  return async (url, init = {}) => {
    const isListening = (init.method ?? 'GET') === 'GET' && !new Headers(init.headers).has('last-event-id')
    return isListening ? new Response(null, { status: 405 }) : fetch(url, init)
  }
}

interface ListRequest {
  sdk: ClientSdk
  client: Client
  request(): { signal: AbortSignal; timeout: number }
  max: number
}

/** The tools of a server, as many as are wanted. Their output schemas are not compiled, as `listTools` of the SDK does: a stranger wrote them. */
async function listTools({ sdk, client, request, max }: ListRequest): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = []
  if (!client.getServerCapabilities()?.tools) return tools
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, sdk.types.ListToolsResultSchema, request())
    tools.push(...page.tools)
    // A page without tools could be followed by others for ever.
    cursor = page.tools.length > 0 ? page.nextCursor : undefined
  } while (cursor !== undefined && tools.length < max)
  return tools.slice(0, max)
}

async function call(
  { sdk, client, limits }: { sdk: ClientSdk; client: Client; limits: ClientLimits },
  { name, input, signal }: { name: string; input: Record<string, unknown>; signal: AbortSignal },
): Promise<RemoteResult> {
  const request = { method: 'tools/call' as const, params: { name, arguments: input } }
  const options = { signal: ownSignal(signal), timeout: limits.callMs }
  const result = await client.request(request, sdk.types.CallToolResultSchema, options)
  const texts = result.content.flatMap(block => {
    if (block.type === 'text') return [block.text]
    return block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : []
  })
  const text =
    texts.length === 0 && result.structuredContent ? JSON.stringify(result.structuredContent) : texts.join('\n')
  return { text, isError: result.isError === true }
}

/** A signal for one request: the SDK listens to what it gets, and never stops. */
function ownSignal(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal])
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** Waits for something that may fail, and not longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
