import { mergePageText, type MergedPageText } from './merge-page-text.rules.ts'
import { mapSides, type Side, type Sides } from './three-way.ts'

/** Merged texts, by `mergedTextKey`. */
export type MergedTexts = ReadonlyMap<string, MergedPageText>

/** The key of a merge of three texts: their hashes. */
export function mergedTextKey({ base, main, changeRequest }: Sides<string>): string {
  return [base, main, changeRequest].join()
}

/** The texts with these hashes, merged as `mergePageText`; a side without text has an empty one. */
export function mergeLoaded(
  hashes: Sides<string>,
  text: (hash: string) => string,
  options: { body?: Side } = {},
): MergedPageText {
  const { base = '', main = '', changeRequest = '' } = mapSides(hashes, text)
  return mergePageText({ base, main, changeRequest }, options)
}

/** The texts of a merge. */
export class MergedDocuments {
  readonly #loaded: ReadonlyMap<string, string>
  readonly #merged: MergedTexts

  constructor(loaded: ReadonlyMap<string, string>, merged: MergedTexts = new Map()) {
    this.#loaded = loaded
    this.#merged = merged
  }

  /** The texts with these hashes, merged by key of their front matter and by line. */
  merge(hashes: Sides<string>): MergedPageText {
    return this.#merged.get(mergedTextKey(hashes)) ?? mergeLoaded(hashes, hash => this.text(hash))
  }

  /** The body of one side below the merged front matter. */
  mergeWithBody(hashes: Sides<string>, body: Side): MergedPageText {
    return mergeLoaded(hashes, hash => this.text(hash), { body })
  }

  /** The text with a hash. Throws when it was not loaded. */
  text(hash: string): string {
    const text = this.find(hash)
    if (text === undefined) throw new Error(`The document ${hash} was not loaded for the merge`)
    return text
  }

  /** The text with a hash; undefined when it was not loaded. */
  find(hash: string): string | undefined {
    return this.#loaded.get(hash)
  }
}
