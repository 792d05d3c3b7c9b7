import type { Token } from './tokens.ts'

/** Positions that Postgres keeps at most. */
const lastPosition = 16_383
/** Positions of a lexeme that are kept in one vector. */
const maxPositions = 32
/** Bytes of lexemes in one vector, since Postgres refuses vectors above 1 MiB: those of some 25,000 different words. */
const maxBytes = 400_000

/** The field of a page that a token comes from; its weight in the ranking. */
export type Weight = 'A' | 'B' | 'C' | 'D'

/** Collects tokens into the text of a `tsvector`. */
export class VectorBuilder {
  readonly #positions = new Map<string, string[]>()
  #bytes = 0
  #offset = 0

  /** Adds the tokens of a text; words that are new beyond the size of a vector are not found. */
  add(tokens: Iterable<Token>, weight: Weight): void {
    let last = 0
    for (const { lexeme, position } of tokens) {
      last = Math.max(last, position)
      const at = Math.min(this.#offset + position, lastPosition)
      this.#addOne(lexeme, `${at}${weight === 'D' ? '' : weight}`)
    }
    // A gap, so that no phrase spans two texts.
    this.#offset += last + 2
  }

  /** Adds a lexeme without place. */
  addMark(lexeme: string): void {
    if (!this.#positions.has(lexeme)) this.#positions.set(lexeme, [])
  }

  #addOne(lexeme: string, place: string): void {
    const positions = this.#positions.get(lexeme)
    if (!positions) {
      this.#bytes += Buffer.byteLength(lexeme) + 8
      if (this.#bytes <= maxBytes) this.#positions.set(lexeme, [place])
    } else if (positions.length < maxPositions && !positions.includes(place)) positions.push(place)
  }

  /** Lexemes and positions in the notation of `tsvector`, for a parameter that is cast to it. */
  toString(): string {
    return Array.from(this.#positions, ([lexeme, places]) => {
      const quoted = `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
      return places.length === 0 ? quoted : `${quoted}:${places.join(',')}`
    }).join(' ')
  }
}
