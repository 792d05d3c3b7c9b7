import { fieldFault } from '@recto/operation'
import type { FontFace } from './font.entity.ts'

/** The format of a font file by its first bytes (WOFF 2, WOFF 1.0); undefined for anything else. */
export function fontFormat(bytes: Uint8Array): FontFace['format'] | undefined {
  const signature = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (signature === 'wOF2') return 'woff2'
  return signature === 'wOFF' ? 'woff' : undefined
}

/** A change of one weight: another file, or null, which removes it. */
export interface FaceChange {
  weight: number
  file: Pick<FontFace, 'hash' | 'format'> | null
}

/** The faces after changes, sorted by weight. Throws `invalid_request` when the regular weight is missing, or there are too many. */
export function changeFaces(
  faces: readonly FontFace[],
  changes: readonly FaceChange[],
  { max }: { max: number },
): FontFace[] {
  const changed = new Set(changes.map(({ weight }) => weight))
  const added = changes.flatMap(({ weight, file }) => (file ? [{ weight, ...file }] : []))
  const all = [...faces.filter(({ weight }) => !changed.has(weight)), ...added].sort(
    (one, other) => one.weight - other.weight,
  )
  if (!all.some(({ weight }) => weight === 400)) throw fieldFault('body.fontFaces', 'must leave the weight 400')
  if (all.length > max) throw fieldFault('body.fontFaces', `must leave at most ${max} weights`)
  return all
}

/** The blobs of faces that others do not have. */
export function droppedHashes(before: readonly FontFace[], after: readonly FontFace[]): string[] {
  const remaining = new Set(after.map(({ hash }) => hash))
  return [...new Set(before.map(({ hash }) => hash))].filter(hash => !remaining.has(hash))
}
