/** A part of a page that searches find. */
export interface IndexedSection {
  /** The heading; empty for the text before the first one. */
  title: string
  anchor?: string | undefined
  text: string
}

/** A page that searches find. */
export interface IndexedPage {
  id: string
  title: string
  description: string
  /** Where it is, as the index says it: a path of the space, or a file. */
  path: string
  sections: IndexedSection[]
}

/** A page with its words, as searches read them. */
export interface PreparedPage {
  page: IndexedPage
  /** The words of titles and texts, each after a space. */
  titles: string
  sections: { section: IndexedSection; heading: string; text: string }[]
}

/** A page that a search found, with its best sections. */
export interface SearchHit {
  page: IndexedPage
  score: number
  sections: (IndexedSection & { excerpt: string })[]
}

const maxHits = 20
const maxSections = 3
const excerptLength = 160

/** The words of a text, without case and accents. */
function wordsOf(text: string): string[] {
  return normalized(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A text without case and accents; each character stays one, so that places are those of the text. */
function normalized(text: string): string {
  return Array.from(text, character => {
    const bare = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    return bare.length === character.length ? bare : character
  }).join('')
}

/** Prepares pages once for all searches in them. */
export function preparePages(pages: readonly IndexedPage[]): PreparedPage[] {
  return pages.map(page => ({
    page,
    titles: spacedWords(`${page.title} ${page.description}`),
    sections: page.sections.map(section => ({
      section,
      heading: spacedWords(section.title),
      text: spacedWords(section.text),
    })),
  }))
}

const spacedWords = (text: string) => ` ${wordsOf(text).join(' ')}`

/** Finds the pages that have every word of a query, as the beginning of one of theirs; titles count most. */
export function searchPages(query: string, pages: readonly PreparedPage[]): SearchHit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const hits = pages.flatMap(page => hitOf(page, words) ?? [])
  return [...hits].sort((a, b) => b.score - a.score).slice(0, maxHits)
}

function hitOf({ page, titles, sections }: PreparedPage, words: readonly string[]): SearchHit | undefined {
  let score = 0
  for (const word of words) {
    const begins = ` ${word}`
    const inTitle = titles.includes(begins) ? 10 : 0
    const inHeadings = sections.filter(({ heading }) => heading.includes(begins)).length
    const inTexts = sections.filter(({ text }) => text.includes(begins)).length
    const sum = inTitle + Math.min(4, inHeadings) * 2 + Math.min(4, inTexts)
    if (sum === 0) return undefined
    score += sum
  }
  const matching = sections.filter(({ heading, text }) =>
    words.some(word => heading.includes(` ${word}`) || text.includes(` ${word}`)),
  )
  const best = matching.slice(0, maxSections).map(({ section }) => ({ ...section, excerpt: excerptOf(section, words) }))
  return { page, score, sections: best }
}

function excerptOf({ text }: IndexedSection, words: readonly string[]): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const lower = normalized(plain)
  const places = words.map(word => lower.indexOf(word)).filter(at => at >= 0)
  const start = Math.max(0, Math.min(...places, plain.length) - 40)
  const from = places.length === 0 ? 0 : start
  const cut = plain.slice(from, from + excerptLength)
  return `${from > 0 ? '…' : ''}${cut}${from + excerptLength < plain.length ? '…' : ''}`
}
