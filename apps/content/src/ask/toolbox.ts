import { askTimeout } from '@recto/contracts-shared'
import type { ChatTool, ChatToolCall } from '@recto/engine'
import { type McpClient, openMcpClient, type RemoteServer } from '@recto/mcp'
import type { Outgoing } from '@recto/outgoing'
import { offerTools, readArguments, resultText } from './tools.rules.ts'

/** An external MCP server of a site. */
export interface ToolServer extends RemoteServer {
  name: string
}

/** The tools of servers, while a question is answered. */
export interface Toolbox {
  definitions: readonly ChatTool[]
  /** Results that have come; without one, nothing that an answer says is founded on a tool. */
  readonly results: number
  /** The result of a call, in words for the engine: one that fails says so. Rejects when the signal aborts. */
  call(call: ChatToolCall, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

interface ToolboxOptions {
  outgoing: Outgoing
  signal: AbortSignal
  /** Version of this build, which servers are told. */
  build: string
  /** Milliseconds to connect to a server, and for each call. */
  timeoutMs: number
  /** The word around texts that are not trusted. */
  mark: string
}

/** Bytes of one reply of a server, and tools that are read from it. */
const maxBytes = 1_048_576
const maxToolsOfServer = 64

/** Connects to servers. Those that cannot be reached in time have no tools; it never rejects. */
export async function openToolbox(servers: readonly ToolServer[], options: ToolboxOptions): Promise<Toolbox> {
  const { mark } = options
  const clients = await Promise.all(servers.map(server => open(server, options)))
  const tools = offerTools(servers.map(({ name }, at) => ({ name, tools: clients[at]?.tools ?? [] })))
  let results = 0
  return {
    definitions: tools.map(({ definition }) => definition),
    get results() {
      return results
    },
    async call({ name, arguments: words }, signal) {
      const tool = tools.find(({ definition }) => definition.name === name)
      const client = tool && clients[tool.server]
      if (!client) return 'There is no such tool'
      const input = readArguments(words, mark)
      if (!input) return 'The arguments must be a JSON object'
      try {
        const result = await client.call(tool.tool, input, signal)
        if (!result.isError) results += 1
        return resultText(result, mark)
      } catch {
        // The words of a server or a connection about a failure are no business of the engine, and could have secrets.
        signal.throwIfAborted()
        return 'The tool failed: it cannot be used now, or took too long'
      }
    },
    close: async () => void (await Promise.allSettled(clients.map(client => client?.close()))),
  }
}

async function open(
  { url, transport, headers }: ToolServer,
  { outgoing, signal, build: version, timeoutMs }: ToolboxOptions,
): Promise<McpClient | undefined> {
  const limits = { maxBytes, openMs: timeoutMs, callMs: timeoutMs, lifetimeMs: askTimeout, maxTools: maxToolsOfServer }
  try {
    return await openMcpClient({ outgoing, limits, signal, version, url, transport, headers })
  } catch {
    return undefined
  }
}
