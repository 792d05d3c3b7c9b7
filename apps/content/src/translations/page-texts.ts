import { isUtf8 } from 'node:buffer'
import { editingLimits } from '@recto/contracts-shared'
import { decodeEntities, firstHeading, readPageSource, splitPage, writeFrontMatter, writtenText } from '@recto/markdown'
import { type MarkdownPool, orFallback } from '../documents/parse-once.ts'
import type { TextTranslator } from './text-translator.ts'
import { shortenText } from './texts.rules.ts'

/** The names of a page, and its description. */
export interface PageNames {
  title: string
  /** The title in the table of contents, where it is another one. */
  linkTitle?: string | undefined
  description?: string | undefined
}

/** The texts of a page, or of a reusable content, that are translated. */
export interface PageTexts extends PageNames {
  /** Its Markdown file; undefined when it has none, or one that cannot be read. */
  markdown: string | undefined
  segments: string[]
  /** The reason why its file is not translated. */
  fault?: string
}

/** Translated texts of a page, and those that keep their source. */
export interface TranslatedTexts extends Pick<PageTexts, keyof PageNames | 'markdown'> {
  faults: { text: string; message: string }[]
}

/** Reads the texts of a page whose file has these bytes. */
export async function readTexts(
  pool: MarkdownPool,
  { title, linkTitle, description, bytes }: PageNames & { bytes: Buffer | undefined },
): Promise<PageTexts> {
  const texts = { title, linkTitle, description, markdown: undefined, segments: [] }
  if (!bytes) return texts
  if (!isUtf8(bytes)) return { ...texts, fault: 'The page is not UTF-8' }
  const markdown = bytes.toString()
  const segments = await orFallback(pool.run('segments', { markdown }), () => undefined)
  return segments ? { ...texts, markdown, segments } : { ...texts, fault: 'The page is too large to be translated' }
}

/** All texts of a page as they are sent. */
export function textsToSend({ title, linkTitle, description, segments }: PageTexts): string[] {
  const names = [title, linkTitle, description].flatMap(name => (name === undefined ? [] : [writtenText(name)]))
  return [...names, ...segments].filter(text => /\p{L}/u.test(text))
}

const structureFault = 'The translation would change the structure of the page'
const placeholderFault = 'The translation lacks placeholders'

/** A page with its translations in place. */
export async function withTexts(
  pool: MarkdownPool,
  page: PageTexts,
  { translations, translator }: { translations: ReadonlyMap<string, string>; translator: TextTranslator },
): Promise<TranslatedTexts> {
  const faults = new Map<string, string>()
  for (const text of textsToSend(page)) {
    const fault = translations.has(text) ? undefined : translator.faultOf(text)
    if (fault !== undefined) faults.set(text, fault)
  }
  const plain = (text: string) => {
    const reply = translations.get(writtenText(text))
    return reply === undefined ? text : decodeEntities(reply).replace(/\s+/g, ' ').trim()
  }
  const field = {
    title: plain(page.title),
    linkTitle: page.linkTitle && cut(plain(page.linkTitle), editingLimits.linkTitle),
    description: page.description && plain(page.description),
  }
  const { markdown } = page
  const presentFaults = () =>
    [...faults].map(([text, message]) => ({ text: shortenText(decodeEntities(text)), message }))
  if (markdown === undefined) {
    if (page.fault !== undefined) faults.set(page.title, page.fault)
    return { ...field, markdown, faults: presentFaults() }
  }
  const replies = page.segments.map(text => translations.get(text))
  const fallback = () => ({ markdown, faults: [{ index: 0, fault: 'structure' as const }] })
  const translation = await orFallback(pool.run('translated', { markdown, replies }), fallback)
  for (const { index, fault } of translation.faults)
    faults.set(page.segments[index] ?? '', fault === 'structure' ? structureFault : placeholderFault)
  const title = titleOf(page, { translation: translation.markdown, title: field.title })
  const settings = { before: page, after: { ...field, title } }
  return { ...field, title, markdown: withFrontMatter(translation.markdown, settings), faults: presentFaults() }
}

/** The first characters of a text. */
function cut(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('')
}

/** A title that is the first heading of its page stays that. */
function titleOf(
  { title: before, markdown }: PageTexts,
  { translation, title }: { translation: string; title: string },
): string {
  const isHeading = markdown !== undefined && firstHeading(splitPage(markdown).body) === before
  return (isHeading && firstHeading(splitPage(translation).body)) || title
}

/** Sets translated values in the front matter of a page that had them there before. */
function withFrontMatter(markdown: string, { before, after }: { before: PageNames; after: PageNames }): string {
  const { frontMatter } = readPageSource(markdown, '')
  const names = (['title', 'linkTitle', 'description'] as const).filter(
    name => before[name] !== undefined && frontMatter[name] === before[name] && after[name] !== before[name],
  )
  if (names.length === 0) return markdown
  try {
    return writeFrontMatter(markdown, Object.fromEntries(names.map(name => [name, after[name]])))
  } catch (error) {
    if (error instanceof TypeError) return markdown
    throw error
  }
}
