import type { Fonts, Run } from '../drawing/fonts.ts'
import { directionOf, shapedText, type Direction } from './bidi.ts'
import { charactersOf, segmentsOf } from './segments.ts'
import { faceOf, type Inline, type InlineObject, type TextStyle } from './style.ts'

/** The smallest part of a line: a word or part of one, white space, or something that is drawn. */
export interface Atom {
  width: number
  level: number
  isSpace: boolean
  isGlued: boolean
  text?: string
  runs?: readonly Run[]
  style?: TextStyle
  object?: InlineObject
  /** Names of places that links lead to, before it. */
  anchors?: string[]
}

/** A paragraph between line breaks. */
export interface Stretch {
  atoms: Atom[]
  base: Direction['base']
}

const placeholder = '\ufffc'
/** Blanks that are drawn as one. */
const blanks = /[\t\u00a0\u3000]/g

/** Characters of a stretch: a longer text begins a new line there, so that memory does not grow with it. */
const longest = 20_000

/** Divides a paragraph into the parts of its lines, stretch by stretch. */
export function* stretchesOf(inlines: readonly Inline[], fonts: Fonts): Generator<Stretch> {
  let stretch: Inline[] = []
  let length = 0
  for (const inline of inlines.flatMap(shortened)) {
    const added = inline.kind === 'text' ? inline.text.length : 1
    if (inline.kind === 'break' || length + added > longest) {
      yield readStretch(stretch, fonts)
      stretch = []
      length = 0
    }
    if (inline.kind === 'break') continue
    stretch.push(inline)
    length += added
  }
  yield readStretch(stretch, fonts)
}

function shortened(inline: Inline): Inline[] {
  if (inline.kind !== 'text' || inline.text.length <= longest) return [inline]
  const parts: Inline[] = []
  for (let at = 0; at < inline.text.length;) {
    const space = inline.text.lastIndexOf(' ', at + longest)
    const end = space > at && at + longest < inline.text.length ? space + 1 : at + longest
    parts.push({ ...inline, text: inline.text.slice(at, end) })
    at = end
  }
  return parts
}

function readStretch(inlines: readonly Inline[], fonts: Fonts): Stretch {
  const text = inlines.map(inline => (inline.kind === 'text' ? inline.text : placeholder)).join('')
  const direction = directionOf(text)
  const atoms: Atom[] = []
  let at = 0
  let anchors: string[] = []
  for (const inline of inlines) {
    const first = atoms.length
    if (inline.kind === 'text') atoms.push(...textAtoms(inline, { direction, at, fonts }))
    else if (inline.kind === 'object') atoms.push(objectAtom(inline.object, direction.levels?.[at] ?? 0))
    else if (inline.kind === 'anchor') anchors.push(inline.name)
    at += inline.kind === 'text' ? inline.text.length : 1
    const added = atoms[first]
    if (!added || anchors.length === 0) continue
    added.anchors = anchors
    anchors = []
  }
  if (anchors.length > 0) atoms.push({ width: 0, level: 0, isSpace: false, isGlued: true, anchors })
  glue(atoms, inlines)
  return { atoms, base: direction.base }
}

function objectAtom(object: InlineObject, level: number): Atom {
  return { width: object.width, level, isSpace: false, isGlued: false, object }
}

/** Formats that change within a word do not make a place where a line may end. */
function glue(atoms: Atom[], inlines: readonly Inline[]): void {
  if (inlines.length < 2) return
  for (const [at, atom] of atoms.entries()) {
    const before = atoms[at - 1]
    if (!before || before.isSpace || atom.isSpace || before.style === atom.style) continue
    const ends = before.text?.at(-1) ?? placeholder
    const begins = atom.text?.at(0) ?? placeholder
    if (isWord(begins) && isWord(ends)) atom.isGlued = true
    if (/^[.,:;!?)\]}’”»]/.test(begins) || /[([{‘“«]$/.test(ends)) atom.isGlued = true
  }
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character) && !/[\u2e80-\uffef]/.test(character)
}

interface Place {
  direction: Direction
  at: number
  fonts: Fonts
}

function textAtoms(inline: { text: string; style: TextStyle }, { direction, at, fonts }: Place): Atom[] {
  const { style } = inline
  const atoms: Atom[] = []
  let place = at
  for (const { text, isSpace, isGlued } of segmentsOf(inline.text)) {
    if (!direction.levels) {
      const { width, runs } = measured({ text, level: 0 }, { style, fonts })
      atoms.push({ style, isSpace, isGlued, text, level: 0, width, runs })
      continue
    }
    for (const [index, part] of byLevel(text, place, direction.levels).entries()) {
      const shared = { style, isSpace, isGlued: isGlued || index > 0, text: part.text, level: part.level }
      atoms.push({ ...shared, ...measured(part, { style, fonts }) })
    }
    place += text === '' ? 1 : text.length
  }
  return atoms
}

function byLevel(text: string, at: number, levels: Uint8Array): { text: string; level: number }[] {
  const parts: { text: string; level: number }[] = []
  for (let index = 0; index < text.length; index++) {
    const level = levels[at + index] ?? 0
    const last = parts.at(-1)
    if (last?.level === level) last.text += text[index]
    else parts.push({ text: text[index] ?? '', level })
  }
  return parts.length > 0 ? parts : [{ text, level: 0 }]
}

function measured(
  { text, level }: { text: string; level: number },
  { style, fonts }: { style: TextStyle; fonts: Fonts },
): { width: number; runs: readonly Run[] } {
  const shaped = shapedText(text.replaceAll(blanks, ' '), level)
  const { runs, advance } = fonts.measure(shaped, faceOf(style))
  return { width: advance * style.size, runs: level % 2 === 1 && runs.length > 1 ? runs.toReversed() : runs }
}

/** Divides an atom that is wider than a line, at the last character that still fits. */
export function divided(atom: Atom, width: number, fonts: Fonts): Atom[] {
  const { text, style, level } = atom
  if (text === undefined || !style) return [atom]
  const measure = (part: string) => measured({ text: part, level }, { style, fonts })
  const characters = [...charactersOf(text)]
  const parts: Atom[] = []
  for (let start = 0; start < characters.length;) {
    let end = start
    for (let used = 0; end < characters.length; end += 1) {
      used += measure(characters[end] ?? '').width
      if (end > start && used > width) break
    }
    // Characters next to each other can be wider than each alone.
    const part = () => characters.slice(start, end).join('')
    while (end - start > 1 && measure(part()).width > width) end -= 1
    parts.push({ ...atom, isGlued: false, text: part(), ...measure(part()) })
    start = end
  }
  const [first, ...others] = parts
  if (!first) return [atom]
  return [{ ...first, isGlued: atom.isGlued }, ...others.map(({ anchors: _, ...rest }) => rest)]
}
