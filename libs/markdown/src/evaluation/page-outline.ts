import { writtenReference } from '../document/references.ts'
import { isUnparsed, toDocument } from '../document/to-document.ts'
import { splitPage } from '../front-matter/split-page.ts'
import { readOutline, unparsedOutline, type Outline } from '../outline/read-outline.ts'
import { normalizeText } from '../syntax/parse.ts'
import { conditionalParts, type ConditionalPart } from './conditional-parts.ts'
import { hasExpressions } from './evaluate-document.ts'

/** The content of a page for search, for links, and for what its readers see. */
export interface PageOutline extends Outline {
  /** The parts of a page whose conditions or expressions decide what a reader sees, instead of its sections and references; empty when it cannot be parsed, and thus shows readers nothing. */
  parts?: ConditionalPart[]
}

/** Reads the outline of a page file. */
export function readPageOutline(markdown: string): PageOutline {
  const outline = readOutline(markdown)
  if (!mayDependOnReader(markdown)) return outline
  const document = toDocument(markdown, { reference: writtenReference })
  if (isUnparsed(document)) return { ...outline, parts: [] }
  return hasExpressions(document) ? { ...outline, parts: conditionalParts(document) } : outline
}

/** The outline of a page file that is not parsed: one section of its whole text. */
export function unparsedPageOutline(markdown: string): PageOutline {
  const outline = unparsedOutline(markdown)
  return mayDependOnReader(markdown) ? { ...outline, parts: [] } : outline
}

/** Whether a page may hold conditions or expressions; false only where it holds none. */
function mayDependOnReader(markdown: string): boolean {
  const { body } = splitPage(normalizeText(markdown))
  return /\{%-?\s*if\b|<code\b[^>]*\bexpression\b/i.test(body)
}
