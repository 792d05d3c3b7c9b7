import { type EngineAccess, EngineRefusal, requestEngine } from '@recto/engine'
import type { Outgoing } from '@recto/outgoing'
import type { Engine } from './engine.ts'
import { protocols } from './protocols.ts'

/** Settings of an engine. */
export interface EngineSettings extends EngineAccess {
  kind: keyof typeof protocols
  url: string
  timeoutMs: number
  /** Milliseconds before the first repetition of a request. */
  retryDelay: number
}

/** The engine in the words of messages. */
const name = 'translation engine'
/** Bytes of a reply: some for each character that was sent. */
const replyBytes = (characters: number) => 65_536 + characters * 32

/** An engine that is reached through a client for foreign URLs, which allows its address. */
export function createEngine(
  outgoing: Outgoing,
  { kind, url, timeoutMs, retryDelay, ...access }: EngineSettings,
): Engine {
  const { takesInstructions, batch, request } = protocols[kind]
  return {
    takesInstructions,
    batch,
    translate(texts, signal) {
      const { path, ...rest } = request(texts, access)
      const maxBytes = replyBytes(texts.texts.reduce((sum, { length }) => sum + length, 0))
      const whole = { name, url: url + path, timeoutMs, retryDelay, maxBytes, signal, ...rest }
      return requestEngine(outgoing, whole, async ({ body }) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of body) chunks.push(chunk)
        return textsOf(kind, Buffer.concat(chunks).toString(), texts.texts.length)
      })
    },
  }
}

function textsOf(kind: EngineSettings['kind'], reply: string, count: number): string[] {
  const texts = orUndefined(() => protocols[kind].texts(JSON.parse(reply)))
  if (!Array.isArray(texts) || texts.some(text => typeof text !== 'string'))
    throw new EngineRefusal(name, 'answered with something that is not a translation')
  if (texts.length !== count) throw new EngineRefusal(name, `answered with ${texts.length} texts for ${count}`)
  return texts as string[]
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
