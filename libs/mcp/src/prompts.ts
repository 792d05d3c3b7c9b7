import type { McpContent } from './content.ts'
import type { ToolCall } from './tool.ts'

/** A prompt that people choose in their client. */
export interface McpPrompt {
  name: string
  title: string
  description: string
  arguments?: { name: string; description: string; required?: boolean }[]
}

/** A message of a prompt. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  content: McpContent
}

/** The prompts of a server. */
export interface McpPrompts {
  list: McpPrompt[]
  /** Throws a `ToolFailure` with what is wrong with the arguments. All that are required are there. */
  get(name: string, values: Record<string, string>, call: ToolCall): Promise<PromptMessage[]>
  /** The values of an argument that begin as the client has it, the likeliest first; the client gets the first hundred. */
  complete?(argument: { prompt: string; name: string; value: string }, call: ToolCall): Promise<string[]>
}
