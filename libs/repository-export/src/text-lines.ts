/** A line of a text with its end of line. */
export interface TextLine {
  text: string
  eol: string
}

/** Splits a text into lines as Markdown does, without loss. */
export function linesOf(text: string): TextLine[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\r|\n)|([^\r\n]+)$/g), ([, line, eol, last]) => ({
    text: line ?? last ?? '',
    eol: eol ?? '',
  }))
}

/** Writes lines in the style of a text: with its ends of line, and with or without one after the last line. */
export class LineWriter {
  readonly #lines: TextLine[] = []
  readonly #eol: string
  readonly #endsWithEol: boolean
  readonly #endsWithBlank: boolean

  constructor(like: TextLine[]) {
    const ends = like.filter(({ eol }) => eol !== '')
    const crlf = ends.filter(({ eol }) => eol === '\r\n').length
    this.#eol = crlf * 2 > ends.length ? '\r\n' : ends.length > 0 && ends.every(({ eol }) => eol === '\r') ? '\r' : '\n'
    this.#endsWithEol = like.length === 0 || like.at(-1)?.eol !== ''
    this.#endsWithBlank = like.at(-1)?.text.trim() === ''
  }

  /** Adds lines as they are. */
  keep(lines: TextLine[]): void {
    for (const line of lines) {
      this.#closeLine()
      this.#lines.push({ ...line })
    }
  }

  /** Adds a new line. */
  add(text: string): void {
    this.keep([{ text, eol: this.#eol }])
  }

  /** Adds an empty line, unless the last line is empty or there is no line. */
  addBlank(): void {
    if (this.#lines.length > 0 && !this.endsWithBlank()) this.add('')
  }

  endsWithBlank(): boolean {
    return /^\s*$/.test(this.#lines.at(-1)?.text ?? 'x')
  }

  /** Returns the text. It ends like the original text: with or without empty lines, and with or without an end of line. */
  toString(): string {
    while (!this.#endsWithBlank && this.#lines.length > 0 && this.endsWithBlank()) this.#lines.pop()
    const last = this.#lines.at(-1)
    if (last) last.eol = this.#endsWithEol ? last.eol || this.#eol : last.text === '' ? last.eol : ''
    return this.#lines.map(({ text, eol }) => text + eol).join('')
  }

  #closeLine(): void {
    const last = this.#lines.at(-1)
    if (last?.eol === '') last.eol = this.#eol
  }
}
