import type { LinkTo } from '../drawing/canvas.ts'
import type { Face } from '../drawing/fonts.ts'

/** How text is drawn. */
export interface TextStyle {
  size: number
  color: string
  bold?: boolean
  italic?: boolean
  mono?: boolean
  strike?: boolean
  /** Colour behind the text. */
  background?: string
  /** Colour of a line around it. */
  frame?: string
  /** Points by which it is raised. */
  rise?: number
  link?: LinkTo
}

/** A part of a paragraph: text, a line break, something that is drawn, or a place that links lead to. */
export type Inline =
  | { kind: 'text'; text: string; style: TextStyle }
  | { kind: 'break' }
  | { kind: 'object'; object: InlineObject }
  | { kind: 'anchor'; name: string }

/** Something that stands in a line like a word. */
export interface InlineObject {
  width: number
  /** Above and below the baseline. */
  ascent: number
  descent: number
  link?: LinkTo
  draw(at: { x: number; baseline: number }): void
}

/** The face of a style. */
export function faceOf({ mono, bold, italic }: TextStyle): Face {
  if (mono) return bold ? 'monoBold' : 'mono'
  if (bold) return italic ? 'boldItalic' : 'bold'
  return italic ? 'italic' : 'regular'
}
