import { Failure } from '@recto/operation'
import { createParser } from 'eventsource-parser'
import { type EngineAccess, engineFailure } from './request-engine.ts'
import { type ChatTool, type ChatToolCall, collectToolCalls } from './tool-calls.ts'

/** A message of a chat: of who asks, of the model that calls tools, or the result of such a call. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls: readonly ChatToolCall[] }
  | { role: 'tool'; call: string; content: string }

/** A request for chat completions, as a path below the base of the engine, headers and a body. */
export interface ChatRequest {
  path: string
  headers: Record<string, string>
  body: object
}

/** A part of a streamed answer: words, calls of tools at its end, or the tokens of the whole exchange, which not every engine counts. */
export type ChatPart = { text: string } | { calls: ChatToolCall[] } | { tokens: number }

/** Options of a request: the answer is streamed when `maxTokens` bounds it. */
export interface ChatOptions {
  maxTokens?: number
  /** The tools that the messages are about, if there are any. */
  tools?: readonly ChatTool[]
  /** Whether they may still be called. */
  mayCall?: boolean
}

/** Writes a request for chat completions, as OpenAI has them. */
export function chatRequest(
  { key, model }: EngineAccess,
  messages: readonly ChatMessage[],
  { maxTokens, tools = [], mayCall = true }: ChatOptions = {},
): ChatRequest {
  const streaming = { stream: true, stream_options: { include_usage: true }, max_tokens: maxTokens }
  const functions = tools.map(tool => ({ type: 'function', function: tool }))
  return {
    path: '/chat/completions',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    body: {
      model,
      temperature: 0,
      ...(maxTokens === undefined ? { stream: false } : streaming),
      ...(tools.length > 0 && { tools: functions, ...(!mayCall && { tool_choice: 'none' }) }),
      messages: messages.map(messageOf),
    },
  }
}

function messageOf(message: ChatMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.call, content: message.content }
  if (message.role !== 'assistant') return message
  const calls = message.calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }))
  return { role: 'assistant', content: message.content, tool_calls: calls }
}

/** Reads the stream of an answer. Throws `unavailable` when it is broken off, or is no such stream. */
export async function* readChat(name: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatPart> {
  const parts: ChatPart[] = []
  const pieces = collectToolCalls()
  let isComplete = false
  const parser = createParser({
    onEvent({ data }) {
      if (data.trim() === '[DONE]') isComplete = true
      else {
        const chunk = readChunk(data)
        isComplete ||= chunk.isLast
        pieces.add(chunk.calls)
        parts.push(...chunk.parts)
      }
    },
  })
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* parts.splice(0)
    }
  } catch (error) {
    throw engineFailure(name, error)
  }
  if (!isComplete) throw new Failure('unavailable', `The ${name} broke off its answer`)
  const calls = pieces.calls()
  if (calls.length > 0) yield { calls }
}

interface Chunk {
  choices?: ({ delta?: { content?: unknown; tool_calls?: unknown } | null; finish_reason?: unknown } | null)[] | null
  usage?: { total_tokens?: unknown } | null
}

/** One event: its parts, its pieces of calls, and whether it is the last one. One that cannot be read has nothing. */
function readChunk(data: string): { parts: ChatPart[]; calls: unknown; isLast: boolean } {
  const chunk = parseChunk(data)
  const choice = Array.isArray(chunk?.choices) ? chunk.choices[0] : undefined
  const text = choice?.delta?.content
  const tokens = chunk?.usage?.total_tokens
  const parts = [
    ...(typeof text === 'string' && text !== '' ? [{ text }] : []),
    ...(typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? [{ tokens: Math.round(tokens) }] : []),
  ]
  return { parts, calls: choice?.delta?.tool_calls, isLast: typeof choice?.finish_reason === 'string' }
}

function parseChunk(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
