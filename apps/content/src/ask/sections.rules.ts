/** A part of a page under one heading. */
export interface MarkdownSection {
  /** The heading as it is written; empty above the first one. */
  heading: string
  text: string
}

/** Splits Markdown at its headings; what looks like one in a block of code is none. */
export function markdownSections(markdown: string): MarkdownSection[] {
  const sections: MarkdownSection[] = [{ heading: '', text: '' }]
  let fence = ''
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    const heading = fence === '' && mark === '' ? /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/.exec(line)?.[1] : undefined
    if (heading !== undefined) sections.push({ heading, text: '' })
    const last = sections.at(-1) as MarkdownSection
    last.text += `${line}\n`
  }
  return sections.map(({ heading, text }) => ({ heading, text: text.trim() })).filter(({ text }) => text !== '')
}

/** A section that a search shows, with the text around its match. */
export interface HitSection {
  id: string
  title: string
  body: string
}

/** A section of a page with its text. */
export interface PickedSection {
  id: string
  title: string
  text: string
}

/**
 * The texts of the sections that a search shows of a page; of a page that matches by its name, what comes before its first heading. A section
 * whose heading is not in the Markdown has the text that the search shows.
 */
export function pickSections(
  markdown: string,
  page: { id: string; title: string; sections: readonly HitSection[] },
  maxLength: number,
): PickedSection[] {
  const sections = markdownSections(markdown)
  const title = wordsOf(page.title)
  const introduction = sections.filter(({ heading }, at) => at < 2 && (heading === '' || wordsOf(heading) === title))
  const hits = page.sections.length > 0 ? page.sections : [{ id: page.id, title: page.title, body: '' }]
  const used = new Set<MarkdownSection>()
  return hits.flatMap(({ id, title: heading, body }) => {
    const words = wordsOf(heading)
    const sameHeading = sections.filter(section => wordsOf(section.heading) === words && words !== '')
    const own = (words === title && introduction.length > 0 ? introduction : sameHeading).filter(one => !used.has(one))
    const isRepeated = own.length === 0 && sameHeading.some(one => used.has(one))
    for (const section of own) used.add(section)
    const text = (own.map(section => section.text).join('\n\n') || (isRepeated ? '' : body)).slice(0, maxLength).trim()
    return text === '' ? [] : [{ id, title: heading, text }]
  })
}

/** The letters and digits of a heading, by which it is compared: it may be written with marks, links and anchors. */
function wordsOf(heading: string): string {
  return heading
    .replace(/<[^>]*>/g, '')
    .replace(/\]\([^)]*\)/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
