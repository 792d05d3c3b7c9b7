import { newDocument, type NewDocument } from '../../store/content/new-document.ts'

/** The texts of a merge: those that were loaded for it, and those that it makes. */
export class MergedDocuments {
  readonly #loaded: ReadonlyMap<string, string>
  readonly #made = new Map<string, NewDocument>()

  constructor(loaded: ReadonlyMap<string, string>) {
    this.#loaded = loaded
  }

  /** The text with a hash. Throws when it was not loaded. */
  text(hash: string): string {
    const text = this.known(hash)
    if (text === undefined) throw new Error(`The document ${hash} was not loaded for the merge`)
    return text
  }

  known(hash: string): string | undefined {
    return this.#loaded.get(hash)
  }

  /** Keeps a merged text, and returns its hash. */
  add(markdown: string): string {
    const document = newDocument(markdown)
    if (!this.#loaded.has(document.hash)) this.#made.set(document.hash, document)
    return document.hash
  }

  /** The made documents among some hashes. */
  among(hashes: Iterable<string | undefined>): NewDocument[] {
    return Array.from(new Set(hashes)).flatMap(hash => this.#made.get(hash ?? '') ?? [])
  }
}
