import type { ChatMessage, ChatOptions, ChatTool, ChatToolCall } from '@recto/engine'
import { tokensIn } from './budget.rules.ts'

/** Tools for one question. */
export interface AskTools {
  definitions: readonly ChatTool[]
  /** The result of a call, in words for the engine. */
  call(call: ChatToolCall, signal: AbortSignal): Promise<string>
  /** The messages for an engine that takes no tools; none where there is nothing to ask without them. */
  without: readonly ChatMessage[] | undefined
}

/** One reply of the engine, as it was. */
export interface Round {
  reply: string
  calls: readonly ChatToolCall[]
  /** Whether the engine refused the request instead. */
  isRefused: boolean
}

/** The messages between us and the engine about one question. */
export interface Conversation {
  messages: readonly ChatMessage[]
  options: Pick<ChatOptions, 'tools' | 'mayCall'>
  /** About as many tokens as are sent next. */
  tokens(): number
  /** Goes on after a reply: calls what it asks for. Resolves to false when that was the last one. */
  continueAfter(round: Round, signal: AbortSignal): Promise<boolean>
}

/** Replies to one question of which the last calls nothing, and calls of them all. */
const maxRounds = 6
const maxCalls = 8
const noMoreCalls = 'No more calls are allowed: answer with what is there'

/** Begins a conversation; an engine that refuses tools is asked again without. */
export function startConversation(first: readonly ChatMessage[], tools: AskTools | undefined): Conversation {
  let messages = [...first]
  let toolsInUse = tools
  let rounds = 1
  let calls = 0
  const mayCall = () => rounds < maxRounds && calls < maxCalls
  return {
    get messages() {
      return messages
    },
    get options() {
      return toolsInUse ? { tools: toolsInUse.definitions, mayCall: mayCall() } : {}
    },
    tokens() {
      const texts = messages.map(message =>
        'calls' in message ? [message.content, JSON.stringify(message.calls)] : message.content,
      )
      return tokensIn([...texts.flat(), ...(toolsInUse ? [JSON.stringify(toolsInUse.definitions)] : [])].join('\n'))
    },
    async continueAfter({ reply, calls: toolCalls, isRefused }, signal) {
      if (!toolsInUse) return false
      if (isRefused) {
        messages = [...(toolsInUse.without ?? [])]
        toolsInUse = undefined
        return messages.length > 0
      }
      if (toolCalls.length === 0 || !mayCall()) return false
      const { call } = toolsInUse
      const left = maxCalls - calls
      const results = await Promise.all(
        toolCalls.map(async (one, at) => ({ id: one.id, text: at < left ? await call(one, signal) : noMoreCalls })),
      )
      calls += toolCalls.length
      rounds += 1
      const answers = results.map(({ id, text }) => ({ role: 'tool' as const, call: id, content: text }))
      messages = [...messages, { role: 'assistant', content: reply, calls: toolCalls }, ...answers]
      return true
    },
  }
}
