import { mcpError, mcpErrorCodes } from '@recto/mcp'
import type { ApiFailure } from '../api/api-client.ts'
import type { PageResponse } from '../responses/page-response.ts'

/** Says to a program of the Model Context Protocol that its request failed. */
export function mcpFailure({ status, message }: ApiFailure, headers: Record<string, string> = {}): PageResponse {
  const allowed = status === 405 ? { allow: 'POST' } : {}
  const retry = status === 503 ? { 'retry-after': '5' } : {}
  const all = { ...allowed, ...retry, ...headers }
  return { ...mcpError({ status, code: mcpErrorCodes.refused, message, headers: all }), operation: 'mcp' }
}
