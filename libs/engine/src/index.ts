export {
  allowanceFor,
  EngineRefusal,
  requestEngine,
  type EngineAccess,
  type EngineReply,
  type EngineRequest,
} from './request-engine.ts'
export { chatRequest, readChat, type ChatMessage, type ChatOptions, type ChatPart, type ChatRequest } from './chat.ts'
export type { ChatTool, ChatToolCall } from './tool-calls.ts'
