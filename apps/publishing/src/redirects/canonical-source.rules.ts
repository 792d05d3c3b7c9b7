import { decodePart, encodePart } from '../addresses/decode-part.ts'

/**
 * The one spelling of a source: its parts decoded once and encoded once, so that the same path is the same source. A wildcard at its end
 * stays; a star that is part of a path is encoded.
 */
export function canonicalSource(source: string): string {
  const wildcard = isWildcard(source) ? '*' : ''
  const parts = source
    .slice(1, source.length - wildcard.length)
    .split('/')
    .map(decodePart)
  return `/${parts.map(encodePart).join('/')}${wildcard}`
}

/** Whether a source stands for all paths that begin like it. */
export function isWildcard(source: string): boolean {
  return source.endsWith('*')
}
