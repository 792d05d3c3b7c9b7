import type { Fonts } from '../drawing/fonts.ts'
import { divided, type Atom, type Stretch } from './atoms.ts'

/** A line of text. */
export interface Line {
  atoms: Atom[]
  width: number
  base: Stretch['base']
}

/** Divides a paragraph into lines that are at most so wide. */
export function* linesOf(stretch: Stretch, width: number, fonts: Fonts): Generator<Line> {
  const { base } = stretch
  let atoms: Atom[] = []
  let used = 0
  const line = () => {
    const trimmed = withoutEnd(atoms)
    return { atoms: trimmed, width: widthOf(trimmed), base }
  }
  for (const unit of unitsOf(stretch.atoms)) {
    const wide = widthOf(unit)
    const isSpace = unit[0]?.isSpace === true
    if (!isSpace && atoms.length > 0 && used + wide > width) {
      yield line()
      atoms = []
      used = 0
    }
    if (isSpace && atoms.length === 0) continue
    if (isSpace || wide <= width) {
      atoms.push(...unit)
      used += wide
      continue
    }
    for (const part of unit.flatMap(atom => divided(atom, width, fonts))) {
      if (atoms.length > 0 && used + part.width > width) {
        yield line()
        atoms = []
        used = 0
      }
      atoms.push(part)
      used += part.width
    }
  }
  yield line()
}

/** Atoms that stay together. */
function* unitsOf(atoms: readonly Atom[]): Generator<Atom[]> {
  let unit: Atom[] = []
  for (const atom of atoms) {
    if (unit.length > 0 && (!atom.isGlued || atom.isSpace || unit[0]?.isSpace)) {
      yield unit
      unit = []
    }
    unit.push(atom)
  }
  if (unit.length > 0) yield unit
}

function withoutEnd(atoms: Atom[]): Atom[] {
  let end = atoms.length
  while (end > 0 && atoms[end - 1]?.isSpace) end--
  return atoms.slice(0, end)
}

function widthOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, { width }) => sum + width, 0)
}
