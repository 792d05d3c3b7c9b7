/** The response to a request of the Model Context Protocol. */
export interface McpResponse {
  status: number
  headers: Record<string, string>
  body: string | null
}

/** Codes of JSON-RPC, and of what MCP servers have agreed on above them. */
export const mcpErrorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  internal: -32603,
  refused: -32000,
  timeout: -32001,
} as const

/** An error of a whole request. */
export interface McpError {
  status: number
  code: (typeof mcpErrorCodes)[keyof typeof mcpErrorCodes]
  message: string
  /** The id of the request, where it was read. */
  id?: string | number | null
  headers?: Record<string, string>
}

/** Headers of every response: it depends on who asks, and nobody keeps it. */
export const commonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** Says in the form of JSON-RPC why a request is not answered. */
export function mcpError({ status, code, message, id = null, headers = {} }: McpError): McpResponse {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id })
  return { status, headers: { ...commonHeaders, ...headers }, body }
}

/** Answers what is no POST: a server without sessions has no stream to open, and no session to end. */
export function methodNotAllowed(): McpResponse {
  const message = 'This server has no sessions and no stream: send requests by POST'
  return mcpError({ status: 405, code: mcpErrorCodes.refused, message, headers: { allow: 'POST' } })
}
