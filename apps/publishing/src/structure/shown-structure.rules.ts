import { Failure, fieldFault } from '@recto/operation'
import {
  defaultOf,
  orderedSections,
  settleSiteSpaces,
  showsSpaces,
  type Structure,
  withDefault,
} from './structure.rules.ts'

/** A structure in effect: what a site shows now, or as much of it as somebody sees. */
export interface ShownStructure extends Structure {
  readonly isShown: true
}

/**
 * The structure that is in effect: without deleted spaces. Where the default space of a section is deleted, or all spaces of the default
 * section, the next in order is the default one until they are restored. Lookups, addresses, events, former paths and redirection
 * all go by it; the stored defaults stay as they are.
 */
export function shownStructure(structure: Structure & { readonly isShown?: never }): ShownStructure {
  const withoutDeleted = { ...structure, siteSpaces: structure.siteSpaces.filter(({ isDeleted }) => !isDeleted) }
  const filled = orderedSections(withoutDeleted).filter(({ id }) => showsSpaces(withoutDeleted, id))
  const section = defaultOf(filled, () => true)
  const sections = withDefault(withoutDeleted.sections, section)
  return { ...withoutDeleted, sections, siteSpaces: settleSiteSpaces(withoutDeleted), isShown: true }
}

/**
 * The structure that visitors see: the one in effect without drafts, nor what is in a draft section or group. Where the default section or
 * space is a draft, the next in order is the default one until it is live.
 */
export function liveStructure(structure: Structure & { readonly isShown?: never }): ShownStructure {
  return shownStructure(withoutDrafts(structure))
}

/** The spaces that a change makes live: visitors see one that was on the site before, as a draft or in one. */
export function spacesMadeLive(before: Structure, after: Structure): string[] {
  const live = new Set(withoutDrafts(before).siteSpaces.map(({ id }) => id))
  const drafts = new Set(before.siteSpaces.map(({ id }) => id).filter(id => !live.has(id)))
  const madeLive = withoutDrafts(after).siteSpaces.filter(({ id }) => drafts.has(id))
  return [...new Set(madeLive.map(({ spaceId }) => spaceId))]
}

/**
 * Throws `invalid_request`, naming the field where there is one, for a change that would leave visitors of a published site nothing: its last
 * spaces would be drafts. To remove them is no mistake.
 */
export function requireSomethingLive(before: Structure, after: Structure): void {
  const live = new Set(liveStructure(before).siteSpaces.map(({ id }) => id))
  const areHidden = shownStructure(after).siteSpaces.some(({ id }) => live.has(id))
  if (!areHidden || liveStructure(after).siteSpaces.length > 0) return
  const drafts = new Set(draftIds(before))
  const isMade = draftIds(after).some(id => !drafts.has(id))
  const field = isMade ? 'body.draft' : 'body'
  throw fieldFault(field, 'must leave something live on the published site; unpublish it, or make another part live')
}

/** Throws `conflict` for a site to be published of which visitors would see nothing, since its spaces are drafts. One without spaces is no mistake. */
export function requirePublishableStructure(structure: Structure): void {
  if (shownStructure(structure).siteSpaces.length === 0 || liveStructure(structure).siteSpaces.length > 0) return
  throw new Failure('conflict', 'The site has drafts only: make one of its parts live, then publish it')
}

function draftIds({ sections, groups, siteSpaces }: Structure): string[] {
  return [...sections, ...groups, ...siteSpaces].filter(({ draft }) => draft).map(({ id }) => id)
}

function withoutDrafts(structure: Structure): Structure {
  const isLive = (row: { draft: boolean; groupId: string | null }) => !row.draft && !isInDraft(structure, row.groupId)
  const sections = structure.sections.filter(isLive)
  const liveSections = new Set<string | null>([null, ...sections.map(({ id }) => id)])
  return {
    groups: structure.groups.filter(isLive),
    sections,
    externalLinks: structure.externalLinks.filter(isLive),
    siteSpaces: structure.siteSpaces.filter(({ draft, sectionId }) => !draft && liveSections.has(sectionId)),
  }
}

/** Whether a group, or one around it, is a draft. */
function isInDraft({ groups }: Structure, group: string | null): boolean {
  for (let id = group; id !== null;) {
    const row = groups.find(row => row.id === id)
    if (row?.draft) return true
    id = row?.groupId ?? null
  }
  return false
}

/** The structure with addresses on a site: the one that visitors see, without sections that show nothing. */
export function publishedStructure(structure: Structure): ShownStructure {
  return withoutEmptySections(liveStructure(structure))
}

/** Without sections that show nothing: they have no address. */
export function withoutEmptySections(structure: ShownStructure): ShownStructure {
  const filled = new Set(structure.siteSpaces.map(({ sectionId }) => sectionId))
  return { ...structure, sections: structure.sections.filter(({ id }) => filled.has(id)) }
}

/** Without groups that hold neither a section nor a link at any depth. */
export function withoutEmptyGroups(structure: ShownStructure): ShownStructure {
  const parents = new Map(structure.groups.map(({ id, groupId }) => [id, groupId]))
  const filled = new Set<string>()
  for (const { groupId } of [...structure.sections, ...structure.externalLinks])
    for (let id = groupId; id !== null && !filled.has(id); id = parents.get(id) ?? null) filled.add(id)
  return { ...structure, groups: structure.groups.filter(({ id }) => filled.has(id)) }
}
