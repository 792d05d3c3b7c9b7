import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A face of the text; other fonts stand in for characters that it lacks. */
export type Face = 'regular' | 'bold' | 'italic' | 'boldItalic' | 'mono' | 'monoBold'

/** Text of one font. */
export interface Run {
  font: string
  text: string
  /** Its width at a size of 1. */
  advance: number
}

/** Text divided by font. */
export interface MeasuredText {
  runs: readonly Run[]
  advance: number
}

/** Fields of pdfkit for an embedded font; its types have only the names of fonts. */
interface OpenFont {
  font: { hasGlyphForCodePoint(point: number): boolean }
  widthOfString(text: string, size: number): number
  layoutCache: Record<string, unknown>
}
/** A pdfkit document, as far as fonts need it. */
interface FontHost {
  registerFont(name: string, file: string, family?: string): unknown
  font(name: string): unknown
}

const google = (name: string, family: string, style = '400Regular') =>
  `@expo-google-fonts/${name}/${style}/${family}_${style}.ttf`
const faces: Record<Face, string> = {
  regular: google('noto-sans', 'NotoSans'),
  bold: google('noto-sans', 'NotoSans', '700Bold'),
  italic: google('noto-sans', 'NotoSans', '400Regular_Italic'),
  boldItalic: google('noto-sans', 'NotoSans', '700Bold_Italic'),
  mono: google('noto-sans-mono', 'NotoSansMono'),
  monoBold: google('noto-sans-mono', 'NotoSansMono', '700Bold'),
}
/** In this order; those of the settings come before the last two, which may not be installed. */
const others = [
  google('vazirmatn', 'Vazirmatn'),
  google('noto-sans-hebrew', 'NotoSansHebrew'),
  google('noto-sans-thai', 'NotoSansThai'),
  google('noto-sans-math', 'NotoSansMath'),
  google('noto-sans-symbols-2', 'NotoSansSymbols2'),
  google('noto-emoji', 'NotoEmoji'),
]

/** Words whose widths are kept, and about as many shapes; pdfkit would keep them all. */
const cachedWords = 20_000
/** Characters that show nothing in these fonts: controls, marks of direction, variation selectors, tones of skin, tags. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e0fff}]/gu
/** Stays in the run of what it joins or modifies. The Arabic font has one glyph for each letter, so that its text can be read back. */
const joins = /^(?:\p{M}|[\u200c\u200d])$/u

/** The fonts of a document: opened when they are needed, embedded with the glyphs that are used. */
export class Fonts {
  readonly #host: FontHost
  readonly #open = new Map<string, OpenFont>()
  readonly #fallbacks: string[]
  readonly #chosen = new Map<string, string | undefined>()
  readonly #missing = new Set<string>()
  readonly #broken = new Set<string>()
  readonly #measured = new Map<string, MeasuredText>()

  constructor(host: FontHost, extra: readonly string[] = []) {
    this.#host = host
    for (const [face, file] of Object.entries(faces)) host.registerFont(face, resolveFont(file))
    const files = [...others.map(resolveFont), ...extra, ...optionalFonts()]
    this.#fallbacks = files.map((file, at) => {
      const [path = '', family] = file.split('#')
      host.registerFont(`fallback-${at}`, path, family)
      return `fallback-${at}`
    })
  }

  /** Characters that no font has, and that were left out. */
  get missing(): string[] {
    return [...this.#missing]
  }

  /** Divides text into runs that have a glyph for each character; what shows nothing, and what no font has, is left out. */
  measure(text: string, face: Face): MeasuredText {
    const key = `${face} ${text}`
    const cachedText = this.#measured.get(key)
    if (cachedText) return cachedText
    if (this.#measured.size >= cachedWords) this.#forget()
    const runs = this.#split(text, face).map(run => ({
      ...run,
      advance: this.#font(run.font).widthOfString(run.text, 1),
    }))
    const measured = { runs, advance: runs.reduce((sum, { advance }) => sum + advance, 0) }
    this.#measured.set(key, measured)
    return measured
  }

  #split(text: string, face: Face): Omit<Run, 'advance'>[] {
    const runs: Omit<Run, 'advance'>[] = []
    for (const character of text.replace(unseen, '')) {
      const last = runs.at(-1)
      if (last && joins.test(character) && this.#has(last.font, character)) last.text += character
      else this.#append(runs, character, face)
    }
    return runs
  }

  #append(runs: Omit<Run, 'advance'>[], character: string, face: Face): void {
    const font = this.#fontFor(character, face)
    if (font === undefined) {
      if (!joins.test(character)) this.#missing.add(character)
      return
    }
    const last = runs.at(-1)
    if (last?.font === font) last.text += character
    else runs.push({ font, text: character })
  }

  #fontFor(character: string, face: Face): string | undefined {
    const key = `${face} ${character}`
    if (!this.#chosen.has(key))
      this.#chosen.set(
        key,
        [face, 'regular', ...this.#fallbacks].find(font => this.#has(font, character)),
      )
    return this.#chosen.get(key)
  }

  #has(font: string, character: string): boolean {
    if (this.#broken.has(font)) return false
    try {
      return this.#font(font).font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
    } catch {
      // A file of the settings that is no font, or not there: the others go on without it.
      this.#broken.add(font)
      return false
    }
  }

  #font(name: string): OpenFont {
    const openFont = this.#open.get(name)
    if (openFont) return openFont
    this.#host.font(name)
    const embeddedFont = (this.#host as unknown as { _font: OpenFont })._font
    this.#open.set(name, embeddedFont)
    return embeddedFont
  }

  #forget(): void {
    this.#measured.clear()
    for (const font of this.#open.values()) font.layoutCache = Object.create(null) as Record<string, unknown>
  }
}

const require = createRequire(import.meta.url)

function resolveFont(file: string): string {
  return require.resolve(file)
}

/** Fonts of Chinese, Japanese and Korean, which are large: an installation may leave them out. */
function optionalFonts(): string[] {
  const chinese = resolved('@embedpdf/fonts-sc')
  const korean = resolved(google('gothic-a1', 'GothicA1'))
  const han = chinese && join(dirname(chinese), '../fonts/NotoSansHans-Regular.otf')
  return [...(han && existsSync(han) ? [han] : []), ...(korean ? [korean] : [])]
}

function resolved(file: string): string | undefined {
  try {
    return require.resolve(file)
  } catch {
    return undefined
  }
}
