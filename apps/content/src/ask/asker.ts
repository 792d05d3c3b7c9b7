import type { Db } from '@recto/database'
import { type ChatMessage, type EngineAccess, chatRequest, EngineRefusal, readChat, requestEngine } from '@recto/engine'
import { Failure } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import { takeTurn } from './budget.ts'
import { type AskLimits, tokensIn } from './budget.rules.ts'

/** Settings of what answers questions. */
export interface AskerSettings extends EngineAccess {
  url: string
  /** Milliseconds for one answer. */
  timeoutMs: number
  retryDelay: number
  /** Tokens of one answer. */
  maxTokens: number
  limits: AskLimits
}

/** A question of an organization, as messages. */
export interface Asking {
  organizationId: string
  messages: readonly ChatMessage[]
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Sends questions to a chat endpoint. */
export interface Asker {
  /** The reply as far as it has come, each time it has grown. Throws `rate_limited` above a limit of the organization, before anything is sent. */
  ask(db: Db, asking: Asking): AsyncGenerator<string>
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
  const { timeoutMs, maxTokens, limits } = settings
  return {
    async *ask(db, { organizationId, messages, signal }) {
      const sent = tokensIn(messages.map(({ content }) => content).join('\n'))
      const tokens = sent + maxTokens
      const end = await takeTurn(db, { organizationId, tokens, limits, ms: timeoutMs + margin })
      const usage = { tokens: undefined as number | undefined, reply: '' }
      try {
        for await (const part of replyTo(outgoing, settings, { messages, signal })) {
          if ('tokens' in part) usage.tokens = part.tokens
          else yield (usage.reply += part.text)
          if (usage.reply.length > maxTokens * charactersPerToken) break
        }
      } finally {
        await end(usage.tokens ?? sent + tokensIn(usage.reply))
      }
    },
  }
}

/** The parts of a reply. Its time is counted from the question on. */
async function* replyTo(
  outgoing: Outgoing,
  { url, timeoutMs, retryDelay, maxTokens, ...access }: AskerSettings,
  { messages, signal: outer }: Pick<Asking, 'messages' | 'signal'>,
): ReturnType<typeof readChat> {
  const { path, ...request } = chatRequest(access, messages, { maxTokens })
  const timer = new AbortController()
  const late = setTimeout(() => timer.abort(new Failure('timeout', `The ${name} took too long`)), timeoutMs).unref()
  const signal = AbortSignal.any([outer, timer.signal])
  const maxBytes = 65_536 + maxTokens * bytesPerToken
  try {
    const whole = { name, url: url + path, timeoutMs, retryDelay, maxBytes, signal, ...request }
    const { body } = await requestEngine(outgoing, whole, reply => Promise.resolve(reply))
    yield* readChat(name, body)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof EngineRefusal ? new Failure('unavailable', error.message) : error
  } finally {
    clearTimeout(late)
  }
}
