export {
  openMcpClient,
  type ClientLimits,
  type McpClient,
  type RemoteResult,
  type RemoteServer,
  type RemoteTool,
} from './client.ts'
export { createMcpEndpoint, type McpEndpoint, type McpLimits, type McpRequest } from './endpoint.ts'
export { isForeignOrigin } from './origin.ts'
export { mcpError, mcpErrorCodes, methodNotAllowed, type McpError, type McpResponse } from './response.ts'
export type { McpContent, ResourceContent } from './content.ts'
export type { McpPrompt, McpPrompts, PromptMessage } from './prompts.ts'
export type { McpResource, McpResources, McpServer } from './server.ts'
export {
  ToolFailure,
  zodTool,
  type JsonSchema,
  type McpTool,
  type ToolAnnotations,
  type ToolCall,
  type ToolResult,
} from './tool.ts'
