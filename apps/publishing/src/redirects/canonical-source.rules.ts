import { decodePart, encodePart } from '../addresses/decode-part.ts'

/** The one spelling of a source: its parts decoded once and encoded once, so that the same path is the same source. */
export function canonicalSource(source: string): string {
  const parts = source.slice(1).split('/').map(decodePart)
  return `/${parts.map(encodePart).join('/')}`
}
