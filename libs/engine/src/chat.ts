import { Failure } from '@recto/operation'
import { createParser } from 'eventsource-parser'
import { type EngineAccess, engineFailure } from './request-engine.ts'

/** A message of a chat. */
export interface ChatMessage {
  role: 'system' | 'user'
  content: string
}

/** A request for chat completions, as a path below the base of the engine, headers and a body. */
export interface ChatRequest {
  path: string
  headers: Record<string, string>
  body: object
}

/** A part of a streamed answer: words, or the tokens of the whole exchange, which not every engine counts. */
export type ChatPart = { text: string } | { tokens: number }

/** Writes a request for chat completions, as OpenAI has them; streamed when `maxTokens` bounds the answer. */
export function chatRequest(
  { key, model }: EngineAccess,
  messages: readonly ChatMessage[],
  { maxTokens }: { maxTokens?: number } = {},
): ChatRequest {
  const streaming = { stream: true, stream_options: { include_usage: true }, max_tokens: maxTokens }
  return {
    path: '/chat/completions',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    body: { model, temperature: 0, ...(maxTokens === undefined ? { stream: false } : streaming), messages },
  }
}

/** Reads the stream of an answer. Throws `unavailable` when it is broken off, or is no such stream. */
export async function* readChat(name: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatPart> {
  const parts: ChatPart[] = []
  let isComplete = false
  const parser = createParser({
    onEvent({ data }) {
      if (data.trim() === '[DONE]') isComplete = true
      else parts.push(...partsOf(data, () => (isComplete = true)))
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
}

interface Chunk {
  choices?: ({ delta?: { content?: unknown } | null; finish_reason?: unknown } | null)[] | null
  usage?: { total_tokens?: unknown } | null
}

/** The parts of one event; one that cannot be read has none. */
function partsOf(data: string, complete: () => void): ChatPart[] {
  const chunk = parsed(data)
  const choice = Array.isArray(chunk?.choices) ? chunk.choices[0] : undefined
  if (typeof choice?.finish_reason === 'string') complete()
  const text = choice?.delta?.content
  const tokens = chunk?.usage?.total_tokens
  return [
    ...(typeof text === 'string' && text !== '' ? [{ text }] : []),
    ...(typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? [{ tokens: Math.round(tokens) }] : []),
  ]
}

function parsed(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
