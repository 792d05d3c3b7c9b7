import type { Outline } from '../documents/outline.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { SearchPageRow } from './search-page.entity.ts'
import type { SearchSectionRow } from './search-section.entity.ts'
import { VectorBuilder } from './text-vector.ts'
import { tokenize } from './tokens.ts'

/** UTF-16 code units of a section's text in one row; the rest of a longer section follows in the next. */
const maxBody = 8_000

/** The row of a page with the vector of its name. */
export type NamedPage = Omit<SearchPageRow, 'spaceId' | 'isConditional'> & { nameTokens: string }
/** The row of a section with its vector. */
export type IndexedSection = Omit<SearchSectionRow, 'spaceId'> & { tokens: string }

/** The place of a page in the tree, as far as search depends on it. */
export interface Place {
  path: string
  /** The page above; null at the root. */
  parent: string | null
  noIndex: boolean
}

/** The place of every page of a tree; a page below one that is not to be indexed is not to be indexed either. */
export function placesOf(index: PageIndex): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { id, parent, noIndex } of index.inOrder()) {
    const above = parent === null ? undefined : places.get(parent)
    places.set(id, {
      path: index.pathOf(id),
      parent: above ? parent : null,
      noIndex: noIndex === true || above?.noIndex === true,
    })
  }
  return places
}

/** The lexeme that every page of a space has, so that the index finds the pages of one space. */
export function spaceLexeme(spaceId: string): string {
  return `space:${spaceId}`
}

/** The row of a page without its text. */
export function namedPage(spaceId: string, record: PageRecord, { path, parent, noIndex }: Place): NamedPage {
  const vector = new VectorBuilder()
  vector.addMark(spaceLexeme(spaceId))
  const title = [...tokenize(record.title)]
  vector.add(title, 'A')
  vector.add(tokenize(path.replaceAll('/', ' ')), 'C')
  if (record.description !== undefined) vector.add(tokenize(record.description), 'C')
  const titleWords = new Set(title.filter(({ kind }) => kind !== 'part').map(({ start }) => start)).size
  const { id: pageId, type, title: name, description = '' } = record
  return { pageId, type, title: name, path, description, parent, noIndex, titleWords, nameTokens: vector.toString() }
}

/** The vector of a page's text, and its sections. */
export function indexOutline(pageId: string, outline: Outline): { textTokens: string; sections: IndexedSection[] } {
  const whole = new VectorBuilder()
  const sections = sectionsOf(outline).flatMap(section => {
    const { isIntroduction, conditions } = section
    if (!section.continues) whole.add(tokenize(section.title), 'B')
    return piecesOf(section.text).map((body, at): Omit<IndexedSection, 'position'> => {
      const vector = new VectorBuilder()
      if (at === 0) vector.add(tokenize(section.title), 'B')
      const tokens = [...tokenize(body)]
      vector.add(tokens, 'D')
      whole.add(tokens, 'D')
      const anchor = isIntroduction ? null : (section.anchor ?? null)
      return { pageId, anchor, title: isIntroduction ? '' : section.title, body, tokens: vector.toString(), conditions }
    })
  })
  const nonEmptySections = sections.filter(({ tokens }) => tokens !== '')
  return {
    textTokens: whole.toString(),
    sections: nonEmptySections.map((section, position) => ({ ...section, position })),
  }
}

interface OutlinedSection {
  title: string
  anchor?: string
  text: string
  /** Whether it is the text before the first heading, or below the title. */
  isIntroduction: boolean
  /** Whether a section before it has the same heading. */
  continues?: true
  conditions: string[]
}

/** A condition that holds for nobody. */
const never = 'false'

/** The sections of a page, split by its conditions; hidden from all visitors when it is unknown which readers see them. */
function sectionsOf({ parts, sections, title }: Outline): OutlinedSection[] {
  if (parts && parts.length > 0)
    return parts.map((part, at) => ({
      ...part,
      isIntroduction: part.title === '' || (part.title === title && (at === 0 || part.continues === true)),
    }))
  return sections.map(section => ({
    ...section,
    isIntroduction: section.level === 0 || (section.level === 1 && section.title === title),
    conditions: parts ? [never] : [],
  }))
}

/** Pieces of a text of bounded length, cut at spaces where there are any; one empty piece for an empty text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let rest = text.replaceAll('\0', ' ')
  while (rest.length > maxBody) {
    const space = rest.lastIndexOf(' ', maxBody)
    const surrogate = /[\ud800-\udbff]/.test(rest[maxBody - 1] ?? '') ? 1 : 0
    const at = space > maxBody / 2 ? space : maxBody - surrogate
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...pieces, rest]
}
