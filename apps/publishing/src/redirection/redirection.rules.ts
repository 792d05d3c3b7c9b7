import { createHash } from 'node:crypto'
import { resolvePath } from '../published-sites/resolve-path.rules.ts'
import { decodePart, encodePart } from '../addresses/decode-part.ts'
import type { FormerSitePath } from '../former-paths/former-site-paths.rules.ts'
import type { RedirectRow } from '../redirects/redirect.entity.ts'
import { partsOfSection, partsOfSiteSpace } from '../structure/site-addresses.rules.ts'
import { siteSpacesIn } from '../structure/structure.rules.ts'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import type { SiteSpaceRow } from '../structure/site-space.entity.ts'

/** Where a redirect leads. */
export type Destination = RedirectRow['destination']

/** Where a redirect leads on its site. */
export type SiteDestination = Exclude<Destination, { kind: 'external' }>

/** Parts of a path with which a section and a space in it are named at most. */
const maxPrefixParts = 2

/** A place of a site that a path may lead to: a page of a space, at the rest of the path, or without a rest the destination itself. */
export interface Candidate {
  siteSpace: SiteSpaceRow
  rest: readonly string[]
  destination: SiteDestination
}

/** The decoded parts of a source. */
export function partsOfSource(source: string): string[] {
  return source.slice(1).split('/').map(decodePart)
}

/**
 * The spellings of a source under which a redirect of the site may be written, the exact one first: its canonical one, and those of the
 * path in lower case. Redirects from before have codes in lower case, too.
 */
export function spellingsOf(source: string): string[] {
  const parts = partsOfSource(source)
  const encode = (decoded: readonly string[]) => `/${decoded.map(encodePart).join('/')}`
  const same = encode(parts)
  const lower = encode(parts.map(part => part.toLowerCase()))
  return [...new Set([source, same, source.toLowerCase(), lower, same.toLowerCase(), lower.toLowerCase()])]
}

/** The beginnings of a path that a section or space may have had, the empty one for what was at the root. */
export function prefixesOf(parts: readonly string[]): string[] {
  const lower = parts.map(part => part.toLowerCase())
  return ['', ...lower.slice(0, maxPrefixParts).map((_part, at) => lower.slice(0, at + 1).join('/'))]
}

/**
 * The places that a path may lead to, in the order in which they are asked: where it leads by the structure of the site as it is, then
 * where the longest beginning leads that a section or space had before, then in the only space that the caller sees of several. `structure` is
 * what the caller sees.
 */
export function candidatesOf(
  structure: ShownStructure,
  former: readonly FormerSitePath[],
  parts: readonly string[],
): Candidate[] {
  const places = [placeAtPath(structure, parts), atFormerPath(structure, former, parts), atOnlySpace(structure, parts)]
  return places.filter(place => place !== undefined)
}

/** The place that a path leads to by the structure of the site as it is; undefined for a preview, and where the caller sees nothing. */
export function placeAtPath(structure: ShownStructure, parts: readonly string[]): Candidate | undefined {
  const resolved = resolvePath(structure, parts)
  if (!resolved || Object.keys(resolved.preview).length > 0) return undefined
  const { section, siteSpace, used } = resolved
  const isSection = used === 1 && section !== undefined && section.path === parts[0]?.toLowerCase()
  const destination: SiteDestination = isSection
    ? { kind: 'site-section', siteSectionId: section.id }
    : { kind: 'site-space', siteSpaceId: siteSpace.id }
  return { siteSpace, rest: parts.slice(used), destination }
}

/** The place of a path that names an only space, whose address leaves that out: others, who see more spaces beside it, have such addresses. */
function atOnlySpace(structure: ShownStructure, parts: readonly string[]): Candidate | undefined {
  const place = placeAtPath(structure, parts)
  if (!place?.siteSpace.isDefault) return undefined
  const { siteSpace, rest, destination } = place
  const names = rest[0] === 'v' ? rest.slice(1) : rest
  const isOnly = siteSpacesIn(structure, siteSpace.sectionId).length === 1
  if (!isOnly || names[0]?.toLowerCase() !== siteSpace.path) return undefined
  return { siteSpace, rest: names.slice(1), destination }
}

function atFormerPath(
  structure: ShownStructure,
  former: readonly FormerSitePath[],
  parts: readonly string[],
): Candidate | undefined {
  for (const prefix of prefixesOf(parts).toReversed()) {
    const formerPath = former.find(({ path }) => path === prefix)
    if (!formerPath) continue
    const rest = parts.slice(prefix === '' ? 0 : prefix.split('/').length)
    const section = structure.sections.find(
      ({ id }) => formerPath.kind === 'site-section' && id === formerPath.targetId,
    )
    if (section) return placeAtPath(structure, [section.path, ...rest])
    const siteSpace = structure.siteSpaces.find(
      ({ id }) => formerPath.kind === 'site-space' && id === formerPath.targetId,
    )
    if (siteSpace) return { siteSpace, rest, destination: { kind: 'site-space', siteSpaceId: siteSpace.id } }
  }
  return undefined
}

/** The parts of the path of a destination below its site, and the space of a page; undefined for what the caller does not see. */
export function placeOf(
  structure: ShownStructure,
  destination: SiteDestination,
): { parts: string[]; space: string | undefined } | undefined {
  if (destination.kind === 'site-section') {
    const isSeen = structure.sections.some(({ id }) => id === destination.siteSectionId)
    return isSeen ? { parts: partsOfSection(structure, destination.siteSectionId), space: undefined } : undefined
  }
  const siteSpace = structure.siteSpaces.find(({ id }) => id === destination.siteSpaceId)
  return siteSpace && { parts: partsOfSiteSpace(structure, siteSpace), space: siteSpace.spaceId }
}

/** Whether a target is where the path itself is: that leads nowhere else. */
export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at])
}

/** The id of a redirect that nobody made: the same for the same path of a site. */
export function derivedId(siteId: string, source: string): string {
  const hash = createHash('sha256').update(`${siteId}:${source}`).digest('base64url')
  return hash.replace(/[-_]/g, '0').slice(0, 20)
}
