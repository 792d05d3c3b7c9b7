import type { EngineAccess } from '@recto/engine'

/** Texts that an engine gets in one request: `<x1>…</x1>` and `<x2/>` stay, and what is in `<t1>…</t1>` is not translated. */
export interface EngineBatch {
  texts: string[]
  from: string
  to: string
  /** Instructions for the translator; for engines that take any. */
  instructions: string
}

/** The protocol of an engine. */
export interface EngineProtocol {
  takesInstructions: boolean
  /** Limits of one request. */
  batch: { segments: number; characters: number }
  request(batch: EngineBatch, access: EngineAccess): { path: string; headers: Record<string, string>; body: object }
  /** The texts of a reply, one for each that was sent; any other value for another reply. */
  texts(reply: unknown): unknown
}

/** Translates texts. */
export interface Engine {
  takesInstructions: boolean
  batch: { segments: number; characters: number }
  /** Texts in the order of the batch. Throws `EngineRefusal` when the engine answers with something else, other failures when it cannot be used. */
  translate(batch: EngineBatch, signal: AbortSignal): Promise<string[]>
}
