import { beforeAll, describe, expect, it } from '@jest/globals'
import { printed } from './test/a-book.ts'
import { everyBlock } from './test/every-block.ts'
import { aPng } from './test/pictures.ts'

let made: Awaited<ReturnType<typeof printed>>
beforeAll(async () => {
  made = await printed({
    title: 'Every block',
    pages: { start: everyBlock, other: '# other\n\n## An end\n\nText.\n\n[Back](start#first-step)' },
    files: { 'dot.png': aPng({ width: 40, height: 30 }), 'report.zip': new Uint8Array(1234) },
  })
})

/** Text as a reader finds it: breaks of lines are those of the layout, and letters of composed glyphs may be apart. */
const plain = (text: string) => text.normalize('NFKC').replaceAll(/\s+/g, '')

/** Texts of the page, in its order. */
// prettier-ignore
const phrases = [
  'Überschrift', 'Ελληνικά', 'Русский', '中文标题', '日本語', '한국어', 'Heading of level three', 'First step',
  'Съешь же ещё этих мягких французских булок', 'Quốc ngữ', 'Η γρήγορη καφέ αλεπού', 'English words', '12345',
  '渲染大型文档时，请注意内存使用情况。', 'これはテストです。', '빠른 갈색 여우', 'यह', 'bold', 'italic', 'both', 'struck', 'code', 'Ctrl', 'link',
  '😄', '🚀', 'red', 'space.vars.name', 'Press here', 'The footnote says this.', 'First item', 'Nested item',
  'Open task', 'Done task', 'A quote.', 'An info hint.', 'A warning hint.', 'A danger hint.', 'A success hint.',
  'Tab of Linux', 'In the first tab.', 'Tab of Windows', 'In the second tab.', 'index.ts', 'export const hello', 'line of code',
  '注释 комментарий', 'Option', 'port', '3000', 'Card one', 'Text of the card', 'Card two', 'A row', '☑', '★★★☆☆',
  'Expandable title', 'Expandable body.', 'Do this.', 'Second step', 'April 22, 2026 · api · beta',
  'What the prompt is for', 'Text of the prompt.', 'The newest entry.', 'March 10, 2026', 'The oldest entry.', 'Left column.', 'Right column.',
  'https://www.youtube.com/watch?v=abc', 'Caption of the embed', 'report.zip', '1.2 KB', 'Caption of the file',
  'GET', '/pets/{id}', 'Shown if visitor.claims.beta', 'Only for beta.', 'Caption of the picture',
  'Remote picture', 'https://example.com/remote.png', '→ ★ ∑ ≤ ☑', 'Included content is not available',
]

describe('a page with every block', () => {
  it.each(phrases)('says %s', part => expect(plain(made.text)).toContain(plain(part)))

  it('says words from right to left', () => {
    const words = plain(made.text)
    for (const word of ['مرحبا', 'بالعالم', 'أرقام', 'שלום', 'בעברית']) expect(words).toContain(plain(word))
  })

  it('has a glyph for every character', () => expect(made.result.missing).toEqual([]))

  it('has its headings in the outline, and links in the document and out of it', () => {
    const [start] = made.pdf.outline
    expect(made.pdf.outline.map(({ title, sheet }) => [title, sheet])).toEqual([
      ['start', 3],
      ['other', made.pdf.sheets.length],
    ])
    const all = (items: typeof made.pdf.outline): string[] =>
      items.flatMap(({ title, items: inside }) => [title, ...all(inside)])
    expect(all(start?.items ?? [])).toEqual([
      'Überschrift Ελληνικά Русский 中文标题 日本語 한국어',
      'Heading of level three',
      'First step',
      'Second step',
    ])
    const links = made.pdf.sheets.flatMap(sheet => sheet.links)
    for (const url of ['link', 'button', 'card', 'remote.png'])
      expect(links).toContainEqual({ url: `https://example.com/${url}` })
    expect(links.some(({ sheet }) => sheet === 0)).toBe(false)
    const back = made.pdf.sheets.at(-1)?.links.at(-1)?.sheet
    expect(made.pdf.sheets[(back ?? 0) - 1]?.text).toContain('First step')
  })

  it('draws the picture that is there, once', () =>
    expect(made.pdf.sheets.reduce((sum, { pictures }) => sum + pictures, 0)).toBe(1))
})

it('the same book makes the same bytes', async () => {
  const book = { pages: { a: '# a\n\nText 中文 $$x^2$$\n', b: '# b\n\n```js\nlet a = 1\n```\n' } }
  const first = await printed(book)
  const second = await printed(book)
  expect(first.bytes.equals(second.bytes)).toBe(true)
})
