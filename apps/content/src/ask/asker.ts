import type { Db } from '@recto/database'
import { type ChatMessage, type EngineAccess, chatRequest, EngineRefusal, readChat, requestEngine } from '@recto/engine'
import { Failure } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import { requireBudget, takeTurn } from './budget.ts'
import { type AskLimits, tokensIn } from './budget.rules.ts'
import { type AskTools, type Round, startConversation, type Conversation } from './conversation.ts'

/** Settings of what answers questions. */
export interface AskerSettings extends EngineAccess {
  url: string
  /** Milliseconds for one answer. */
  timeoutMs: number
  /** Milliseconds to connect to an external server, and for a call of a tool. */
  toolTimeoutMs: number
  retryDelay: number
  /** Tokens of one answer. */
  maxTokens: number
  limits: AskLimits
}

/** A question of an organization, as messages. */
export interface AskRequest {
  organizationId: string
  messages: readonly ChatMessage[]
  /** Tools that the engine may call before it answers. */
  tools?: AskTools | undefined
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Sends questions to a chat endpoint. */
export interface Asker {
  /** Milliseconds for a call of a tool. */
  toolTimeoutMs: number
  /** Throws `rate_limited` where the organization has asked as much as it may. */
  requireBudget(db: Db, organizationId: string): Promise<void>
  /**
   * The reply as far as it has come, each time it has grown; it begins anew when the engine has called tools. Throws `rate_limited` above a
   * limit of the organization, before anything is sent.
   */
  ask(db: Db, request: AskRequest): AsyncGenerator<string>
}

/** The engine in the words of messages. */
const name = 'engine of answers'
/** Characters of a reply for each of its tokens, of which some are longer. */
const charactersPerToken = 8
/** Bytes of a streamed reply for each of its tokens. */
const bytesPerToken = 2_048
/** Milliseconds by which a count outlives its question, if its process dies. */
const margin = 5_000

/** Creates what sends questions, through a client for foreign URLs that allows the address of the engine. */
export function createAsker(outgoing: Outgoing, settings: AskerSettings): Asker {
  const { timeoutMs, toolTimeoutMs, maxTokens, limits } = settings
  return {
    toolTimeoutMs,
    requireBudget: (db, organizationId) => requireBudget(db, { organizationId, limits }),
    async *ask(db, { organizationId, messages, tools, signal: outer }) {
      const conversation = startConversation(messages, tools)
      const tokens = conversation.tokens() + maxTokens
      const turn = await takeTurn(db, { organizationId, tokens, limits, ms: timeoutMs + margin })
      const { signal, end } = startDeadline(timeoutMs, outer)
      let took = 0
      try {
        for (;;) {
          const round: CountedRound = { reply: '', calls: [], isRefused: false, tokens: undefined }
          try {
            yield* replyIn(outgoing, settings, { conversation, round, signal })
          } finally {
            took += round.tokens ?? conversation.tokens() + tokensIn(round.reply + JSON.stringify(round.calls))
          }
          if (!(await conversation.continueAfter(round, signal))) return
          // The tokens that were counted for a refused request are enough for the shorter one that follows.
          if (!round.isRefused) await turn.add(conversation.tokens() + maxTokens)
          yield ''
        }
      } finally {
        end()
        await turn.end(took)
      }
    },
  }
}

interface CountedRound extends Round {
  tokens: number | undefined
}

interface ReplyRequest {
  conversation: Conversation
  round: CountedRound
  signal: AbortSignal
}

/** One reply of the engine as far as it has come; `round` gets what it was. */
async function* replyIn(
  outgoing: Outgoing,
  { url, timeoutMs, retryDelay, maxTokens, ...access }: AskerSettings,
  { conversation, round, signal }: ReplyRequest,
): AsyncGenerator<string> {
  const { path, ...request } = chatRequest(access, conversation.messages, { maxTokens, ...conversation.options })
  const maxBytes = 65_536 + maxTokens * bytesPerToken
  try {
    const whole = { name, url: url + path, timeoutMs, retryDelay, maxBytes, signal, ...request }
    const { body } = await requestEngine(outgoing, whole, reply => Promise.resolve(reply))
    for await (const part of readChat(name, body)) {
      if ('tokens' in part) round.tokens = part.tokens
      else if ('calls' in part) round.calls = part.calls
      else yield (round.reply += part.text)
      if (round.reply.length > maxTokens * charactersPerToken) return
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof EngineRefusal)) throw error
    if (!conversation.options.tools) throw new Failure('unavailable', error.message)
    Object.assign(round, { isRefused: true, tokens: 0 })
  }
}

/** A signal that aborts with the one that is given, or when the time of an answer, which is counted from the question on, is over. */
function startDeadline(timeoutMs: number, outer: AbortSignal): { signal: AbortSignal; end(): void } {
  const timer = new AbortController()
  const late = setTimeout(() => timer.abort(new Failure('timeout', `The ${name} took too long`)), timeoutMs).unref()
  return { signal: AbortSignal.any([outer, timer.signal]), end: () => clearTimeout(late) }
}
