import { siteLimits } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'
import { slugOfTitle, slugSet } from '@recto/repository-format'
import type { Structure } from './structure.rules.ts'

/** Parts of URLs with a meaning of their own: `/v/<variant>` and `/~/changes/<id>`. */
const reserved = new Set(['v', '~'])

/** Leaves room for a number that makes a path unique. */
const maxBaseLength = siteLimits.maxPath - 10

/** A path for a new section, made from its title: the second of a kind ends in `-1`. */
export function freeSectionPath({ sections }: Structure, title: string): string {
  return freePath(slugOfTitle(title), sections)
}

/** A path for a space that comes into a section, or a site without sections (null): the one wanted, or made from it. */
export function freePathBeside({ siteSpaces }: Structure, sectionId: string | null, path: string): string {
  return freePath(
    path,
    siteSpaces.filter(siteSpace => siteSpace.sectionId === sectionId),
  )
}

function freePath(preferredPath: string, others: { path: string }[]): string {
  const taken = new Set([...reserved, ...others.map(({ path }) => path)])
  const fits = !taken.has(preferredPath) && [...preferredPath].length <= siteLimits.maxPath
  return fits ? preferredPath : slugSet(taken)([...preferredPath].slice(0, maxBaseLength).join(''))
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
