import { captureFault, capturesByWildcard } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'
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

/** Throws `invalid_request` for a redirect that would append what a wildcard stands for, and has none; names the field of the change that asks for it. */
export function requireWildcard(
  redirect: Parameters<typeof capturesByWildcard>[0],
  { captureWildcard }: { captureWildcard?: boolean | undefined },
): void {
  if (capturesByWildcard(redirect)) return
  const [name = ''] = captureFault.path
  if (captureWildcard === true) throw fieldFault(`body.${name}`, captureFault.error)
  throw fieldFault('body.source', `must have \`*\` at its end, or \`${name}\` be false`)
}
