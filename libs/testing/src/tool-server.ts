import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'

/** How a test server behaves: the first three answer, one of them with a failure; the others in ways in which servers fail. */
export type ToolServerMode =
  | 'answers'
  | 'answers by a stream'
  | 'says it failed'
  | 'throws'
  | 'stalls'
  | 'is huge'
  | 'is down'
  | 'says nothing'
  | 'redirects'

/** A server of the Model Context Protocol, by both transports. */
export interface ToolServer {
  /** Where it speaks Streamable HTTP, and where the older transport. */
  url: string
  sseUrl: string
  mode: ToolServerMode
  tools: Tool[]
  /** The text of a result. */
  reply: string
  /** Where it redirects to. */
  elsewhere: string
  /** Requests, and the calls of tools that they were. */
  requests: { method: string; headers: IncomingMessage['headers'] }[]
  calls: { name: string; arguments: Record<string, unknown> | undefined }[]
  /** Calls that were cancelled, and sessions that are open. */
  cancelled: number
  sessions: number
  stop(): Promise<void>
}

/** A tool with annotations, that takes a word. */
export function aTool(name: string, annotations?: Tool['annotations']): Tool {
  const inputSchema = { type: 'object' as const, properties: { word: { type: 'string' } } }
  return { name, description: `Finds what ${name} is`, inputSchema, ...(annotations && { annotations }) }
}

/** Starts a test server on a free port. */
export async function aToolServer(): Promise<ToolServer> {
  const server: ToolServer = {
    url: '',
    sseUrl: '',
    mode: 'answers',
    tools: [aTool('find')],
    reply: 'Found.',
    elsewhere: '',
    requests: [],
    calls: [],
    cancelled: 0,
    sessions: 0,
    stop: () => Promise.resolve(),
  }
  const open: Open = { sdk: await loadSdk(), streamable: new Map(), sse: new Map() }
  const http = createServer((request, response) => {
    answer(server, open, { request, response }).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  Object.assign(server, { url: `${base}/mcp`, sseUrl: `${base}/sse` })
  server.stop = () =>
    new Promise(resolve => {
      http.closeAllConnections()
      http.close(() => resolve())
    })
  return server
}

/** Most tests need no such server, and load none of it. */
async function loadSdk() {
  const [{ Server }, sse, http, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/sse.js'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Server, Sse: sse.SSEServerTransport, Streamable: http.StreamableHTTPServerTransport, types }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

interface Open {
  sdk: Sdk
  streamable: Map<string, StreamableHTTPServerTransport>
  sse: Map<string, SSEServerTransport>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function answer(server: ToolServer, open: Open, { request, response }: Exchange): Promise<void> {
  server.requests.push({ method: request.method ?? '', headers: request.headers })
  const { mode } = server
  if (mode === 'says nothing') return
  if (mode === 'is down') return void response.writeHead(500).end('a secret of the server')
  if (mode === 'redirects') return void response.writeHead(307, { location: server.elsewhere }).end()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/mcp') return answerStreamable(server, open, { request, response })
  if (pathname === '/sse') {
    const transport = new open.sdk.Sse('/messages', response)
    open.sse.set(transport.sessionId, transport)
    return connect(open.sdk, server, transport)
  }
  const transport = open.sse.get(searchParams.get('sessionId') ?? '')
  if (!transport) return void response.writeHead(404).end()
  return transport.handlePostMessage(request, response)
}

async function answerStreamable(
  server: ToolServer,
  { sdk, streamable }: Open,
  { request, response }: Exchange,
): Promise<void> {
  const openTransport = streamable.get(String(request.headers['mcp-session-id']))
  if (openTransport) return openTransport.handleRequest(request, response)
  const transport: StreamableHTTPServerTransport = new sdk.Streamable({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: server.mode !== 'answers by a stream',
    onsessioninitialized: id => {
      server.sessions += 1
      streamable.set(id, transport)
    },
    onsessionclosed: id => {
      server.sessions -= 1
      streamable.delete(id)
    },
  })
  await connect(sdk, server, transport as Transport)
  return transport.handleRequest(request, response)
}

/** Connects a server of the SDK, which has the tools of the test server. */
async function connect({ Server, types }: Sdk, server: ToolServer, transport: Transport): Promise<void> {
  const built = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  built.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: server.tools }))
  built.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    server.calls.push({ name: params.name, arguments: params.arguments })
    const { mode, reply } = server
    if (mode === 'stalls')
      await new Promise<void>(resolve =>
        signal.addEventListener('abort', () => {
          server.cancelled += 1
          resolve()
        }),
      )
    if (mode === 'throws') throw new Error('a secret of the server')
    const text = mode === 'is huge' ? 'x'.repeat(3_000_000) : reply
    return { content: [{ type: 'text', text }], isError: mode === 'says it failed' }
  })
  await built.connect(transport)
}
