import { siteLimits } from '@recto/contracts'
import { fieldFault } from '@recto/operation'
import { slugOfTitle } from '@recto/repository-format'
import type { Structure } from './structure.rules.ts'

/** Parts of URLs with a meaning of their own: `/v/<variant>` and `/~/changes/<id>`. */
const reserved = new Set(['v', '~'])

/** A path made from a title that none of the others has: the second of a kind ends in `-1`. */
export function freePath(title: string, taken: readonly string[]): string {
  const wanted = [...slugOfTitle(title)].slice(0, siteLimits.maxPath - 10).join('')
  const paths = new Set([...taken, ...reserved])
  let path = wanted
  for (let count = 1; paths.has(path); count += 1) path = `${wanted}-${count}`
  return path
}

/** Throws `conflict` when a section has the path already, and `invalid_request` for a reserved one. */
export function requireFreeSectionPath({ sections }: Structure, path: string, own: string): void {
  requireFree(path, pathsExcept(sections, own))
}

/** Throws `conflict` when a space of the same section or site has the path already, and `invalid_request` for a reserved one. */
export function requireFreeSiteSpacePath(
  { siteSpaces }: Structure,
  path: string,
  { id, sectionId }: { id: string; sectionId: string | null },
): void {
  const siblings = siteSpaces.filter(siteSpace => siteSpace.sectionId === sectionId)
  requireFree(path, pathsExcept(siblings, id))
}

/** The paths of rows without that of one. */
function pathsExcept(rows: { id: string; path: string }[], own: string): string[] {
  return rows.filter(({ id }) => id !== own).map(({ path }) => path)
}

function requireFree(path: string, taken: string[]): void {
  if (reserved.has(path)) throw fieldFault('body.path', `must not be ${path}, which has a meaning of its own`)
  if (taken.includes(path)) throw fieldFault('body.path', 'is taken', 'conflict')
}
