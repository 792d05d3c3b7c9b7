import type { Db } from '@recto/database'
import { EngineRefusal } from '@recto/engine'
import { Failure } from '@recto/operation'
import type { Engine } from './engines/engine.ts'
import { type ProtectedText, type Term, termFinder, withTerms } from './glossary.rules.ts'
import { batchesOf, memoryKey, replyFault, type TextSettings, wordCount } from './texts.rules.ts'
import * as memory from './translation-memory.repository.ts'

/** Counts of texts sent to an engine. */
export interface Sent {
  segments: number
  characters: number
  words: number
}

/** The tools for translating texts. */
export interface TextTools {
  db: Db
  engine: Engine
  /** Limits of what one run sends. */
  bounds: Pick<Sent, 'segments' | 'characters'>
  translationId: string
  settings: TextSettings
  terms: readonly Term[]
  signal: AbortSignal
}

/** A text without a remembered translation. */
interface Missing extends ProtectedText {
  source: string
  key: string
}

/** Texts that an engine refuses in a row, without any translation yet, before the run fails: the cause is then not in these texts. */
const maxRefusals = 5

/** Translates the texts of one run: remembered texts are not sent, and translations are remembered at once. */
export class TextTranslator {
  readonly #tools: TextTools
  readonly #protect: (text: string) => ProtectedText
  readonly #faults = new Map<string, string>()
  #refusals = 0
  readonly sent: Sent

  constructor(tools: TextTools, counts: Sent) {
    this.#tools = tools
    this.#protect = termFinder(tools.terms)
    this.sent = { ...counts }
  }

  /** The reason why a text has no translation. */
  faultOf(text: string): string | undefined {
    return this.#faults.get(text)
  }

  /** The translations of texts as they are sent; a text without one has a fault. Throws when the engine cannot be used. */
  async translate(texts: Iterable<string>): Promise<Map<string, string>> {
    const requests = [...new Set(texts)].filter(text => !this.#faults.has(text)).map(text => this.#missing(text))
    const { db, translationId, engine } = this.#tools
    const translations = await memory.findTexts(
      db,
      translationId,
      requests.map(({ key }) => key),
    )
    const missing = requests.filter(({ key }) => !translations.has(key))
    for (const batch of batchesOf(missing, engine.batch))
      for (const [key, text] of await this.#sendWithinBounds(batch)) translations.set(key, text)
    return new Map(
      requests.flatMap(({ source, key }) => (translations.has(key) ? [[source, translations.get(key) ?? '']] : [])),
    )
  }

  #missing(source: string): Missing {
    const protectedText = this.#protect(source)
    return { ...protectedText, source, key: memoryKey(this.#tools.settings, protectedText.text) }
  }

  async #sendWithinBounds(batch: Missing[]): Promise<Map<string, string>> {
    const { bounds } = this.#tools
    const characters = batch.reduce((sum, { text }) => sum + text.length, 0)
    const reached =
      this.sent.segments + batch.length > bounds.segments
        ? 'TRANSLATION_MAX_SEGMENTS'
        : this.sent.characters + characters > bounds.characters
          ? 'TRANSLATION_MAX_CHARACTERS'
          : undefined
    if (reached === undefined) return this.#send(batch)
    for (const { source } of batch) this.#faults.set(source, `The run has sent what ${reached} allows: run again`)
    return new Map()
  }

  /** Sends texts, in ever smaller parts while the engine refuses them. */
  async #send(batch: Missing[]): Promise<Map<string, string>> {
    this.#count(batch)
    const replies = await this.#replies(batch)
    if (replies) return this.#remember(batch, replies)
    if (batch.length === 1) return new Map()
    const half = batch.length >> 1
    const first = await this.#send(batch.slice(0, half))
    return new Map([...first, ...(await this.#send(batch.slice(half)))])
  }

  async #replies(batch: Missing[]): Promise<string[] | undefined> {
    const { engine, settings, signal } = this.#tools
    signal.throwIfAborted()
    try {
      const texts = batch.map(({ text }) => text)
      const replies = await engine.translate({ texts, ...settings }, signal)
      this.#refusals = -Infinity
      return replies
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error
      if (batch.length === 1) {
        for (const { source } of batch) this.#faults.set(source, error.message)
        this.#refusals += 1
      }
      if (this.#refusals >= maxRefusals) throw new Failure('unavailable', error.message)
      return undefined
    }
  }

  #count(batch: Missing[]): void {
    this.sent.segments += batch.length
    for (const { text } of batch) {
      this.sent.characters += text.length
      this.sent.words += wordCount(text)
    }
  }

  async #remember(batch: Missing[], replies: string[]): Promise<Map<string, string>> {
    const good = new Map<string, string>()
    for (const [at, { source, key, text, terms }] of batch.entries()) {
      const reply = replies[at] ?? ''
      const fault = replyFault(text, reply)
      if (fault === undefined) good.set(key, withTerms(reply, terms))
      else this.#faults.set(source, fault)
    }
    const { db, translationId } = this.#tools
    if (good.size > 0) await memory.saveTexts(db, translationId, good)
    return good
  }
}
