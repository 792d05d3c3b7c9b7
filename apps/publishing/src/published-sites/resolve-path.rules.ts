import { meetsCondition } from '@recto/expressions'
import type { SectionRow } from '../structure/section.entity.ts'
import type { SiteSpaceRow } from '../structure/site-space.entity.ts'
import { type ShownStructure, withoutEmptySections } from '../structure/shown-structure.rules.ts'
import { orderedSections, siteSpacesIn } from '../structure/structure.rules.ts'

/** The structure that visitors with some claims see: without parts that conditions hide, and without sections that show nothing. */
export function shownTo(structure: ShownStructure, claims: Record<string, unknown>): ShownStructure {
  const holds = (condition: string | null) => meetsCondition(condition ?? undefined, { visitor: { claims } })
  const open = new Set(structure.sections.filter(({ condition }) => holds(condition)).map(({ id }) => id))
  const externalLinks = structure.externalLinks.filter(({ condition }) => holds(condition))
  return keepSiteSpaces(
    { ...structure, externalLinks },
    ({ sectionId, condition }) => (sectionId === null || open.has(sectionId)) && holds(condition),
  )
}

/** The part of a structure that shows some spaces only. */
export function withSpaces(structure: ShownStructure, spaces: { has(space: string): boolean }): ShownStructure {
  return keepSiteSpaces(structure, ({ spaceId }) => spaces.has(spaceId))
}

function keepSiteSpaces(structure: ShownStructure, isKept: (siteSpace: SiteSpaceRow) => boolean): ShownStructure {
  return withoutEmptySections({ ...structure, siteSpaces: structure.siteSpaces.filter(isKept) })
}

/** Where a path leads on a site. */
export interface Resolved {
  section: SectionRow | undefined
  siteSpace: SiteSpaceRow
  /** How many parts of the path chose the section and the space. */
  used: number
  /** Whether no further part could choose another section or space. */
  isComplete: boolean
  /** The change request or revision that the path previews. */
  preview: Preview
}

/** A preview in a path: `/~/changes/<id or number>` or `/~/revisions/<id>`. */
export interface Preview {
  changeRequest?: string | undefined
  revision?: string | undefined
}

/**
 * Finds the space of a site that a path leads to: the section whose path comes first, else the default one; in it the space whose path
 * comes next, also behind `v`, else the default one. Where the visitor does not see the default one, it is the first that they see. Undefined when the visitor sees nothing. `structure` is what they see.
 */
export function resolvePath(structure: ShownStructure, parts: readonly string[]): Resolved | undefined {
  const sections = orderedSections(structure)
  const sectionAtPath = sections.find(({ path }) => path === parts[0]?.toLowerCase())
  const section = sectionAtPath ?? sections.find(({ isDefault }) => isDefault) ?? sections[0]
  const variants = siteSpacesIn(structure, section?.id ?? null)
  const atSection = sectionAtPath ? 1 : 0
  const prefix = parts[atSection] === 'v' ? 1 : 0
  const segment = parts[atSection + prefix]?.toLowerCase()
  // The path of an only space belongs to its pages, unless it is not the default one: then its address has its path.
  const isNamed = variants.some(({ isDefault }) => !isDefault)
  const variant = isNamed ? variants.find(({ path }) => path === segment) : undefined
  const siteSpace = variant ?? variants.find(({ isDefault }) => isDefault) ?? variants[0]
  if (!siteSpace) return undefined
  const atSpace = atSection + (variant ? prefix + 1 : 0)
  const preview = previewIn(parts.slice(atSpace))
  const used = atSpace + (preview ? 3 : 0)
  const mayChooseSection = !sectionAtPath && sections.length > 0
  const mayChooseVariant = !variant && isNamed
  const isDecided = parts.length > used + (prefix && !variant ? 1 : 0) || !(mayChooseSection || mayChooseVariant)
  const isComplete = isDecided && !isBegunPreview(parts.slice(atSpace))
  return { section, siteSpace, used, isComplete, preview: preview ?? {} }
}

/** Whether parts are a preview whose id is missing. */
function isBegunPreview([tilde, kind = 'changes', id]: readonly string[]): boolean {
  return tilde === '~' && (kind === 'changes' || kind === 'revisions') && id === undefined
}

/** Ids have no other characters; anything else is the path of a page that is not there. */
const isId = (part: string) => /^[\w-]{1,100}$/.test(part)

function previewIn([tilde, kind, id]: readonly string[]): Preview | undefined {
  if (tilde !== '~' || id === undefined || !isId(id)) return undefined
  if (kind === 'changes') return { changeRequest: id }
  return kind === 'revisions' ? { revision: id } : undefined
}
