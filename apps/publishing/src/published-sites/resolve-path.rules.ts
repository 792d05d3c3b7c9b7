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
  /** The change request, revision or pull request that the path previews. */
  preview: PathPreview
}

/** The content that is previewed. */
export interface Preview {
  changeRequest?: string | undefined
  revision?: string | undefined
}

/** The content that is previewed, as a lookup tells it. */
export interface ResolvedPreview extends Preview {
  /** Of a pull request: the revision that it began from, where that is known and may be read. */
  pullRequest?: { base?: string | undefined } | undefined
}

/** A preview in a path: `/~/changes/<id or number>`, `/~/revisions/<id>` or `/~/pull-requests/<key>`. */
export interface PathPreview extends Preview {
  /** The part of an address that nobody guesses, of a pull request in the repository of the space. */
  pullRequest?: string | undefined
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

const previewKinds = ['changes', 'revisions', 'pull-requests']

/** Whether parts are a preview whose id is missing. */
function isBegunPreview([tilde, kind = 'changes', id]: readonly string[]): boolean {
  return tilde === '~' && previewKinds.includes(kind) && id === undefined
}

/** Ids have no other characters; anything else is the path of a page that is not there. */
const isId = (part: string) => /^[\w-]{1,100}$/.test(part)

function previewIn([tilde, kind, id]: readonly string[]): PathPreview | undefined {
  if (tilde !== '~' || id === undefined || !isId(id)) return undefined
  if (kind === 'pull-requests') return { pullRequest: id }
  if (kind === 'changes') return { changeRequest: id }
  return kind === 'revisions' ? { revision: id } : undefined
}
