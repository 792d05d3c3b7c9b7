import { diffDocuments } from '@recto/markdown'
import { describe, expect, it } from '@jest/globals'
import { faultsOf, plain } from '../test/html.ts'
import { allTargets, read, rendered } from '../test/render.ts'
import { markDocument } from './mark-document.ts'

/** The body of a text with what another one had besides, without what frames its changes. */
async function compared(before: string, after: string): Promise<string> {
  const old = read(before)
  const current = read(after)
  const { document, ...marked } = markDocument(current, diffDocuments(old, current))
  const targets = { ...allTargets(old), ...allTargets(current) }
  const { html } = await rendered('', { document, marked, targets })
  expect(faultsOf(html)).toEqual([])
  return plain(html)
    .replaceAll(/<nav class="change-steps".*?<\/nav>/g, '')
    .replaceAll(/<span class="visually-hidden">[^<]*<\/span>/g, '')
    .replaceAll(/ class="change"| data-change="[^"]*"/g, '')
}

const hint = (style: string) => `{% hint style="${style}" %}\nBe very careful.\n{% endhint %}`
const table = (...rows: string[]) => ['| Name | Port |', '| --- | --- |', ...rows].join('\n')

describe('a body shows what differs', () => {
  it.each([
    ['words', 'Read this first.', 'Read that first.', 'Read <del>this</del><ins>that</ins> first.'],
    ['a new block', 'a', 'a\n\nb', '<ins><p>b</p></ins>'],
    ['a block that is gone', 'a\n\nb', 'a', '<del><p>b</p></del>'],
    ['an item of a list', '* one thing\n* two things', '* one thing', '<li><del><p>two things</p></del></li>'],
    ['a row of a table', table('| web | 80 |'), table('| web | 80 |', '| mail | 25 |'), '<td><ins>mail</ins></td>'],
    [
      'a cell',
      table('| the mail server | 25 |'),
      table('| the mail server | 587 |'),
      '<td><del><p>25</p></del><ins><p>587</p></ins></td>',
    ],
    ['a column', '| A | B |\n| - | - |\n| one | two |', '| A |\n| - |\n| one |', '<td><del><p>two</p></del></td>'],
    [
      'lines of code',
      '```\na = 1\nb = 2\n```',
      '```\na = 1\nb = 3\n```',
      '<del><span class="line">b = 2</span></del>\n<ins><span class="line">b = 3</span></ins>',
    ],
    ['settings of a block', hint('info'), hint('danger'), '<code>style</code> <del>info</del> <ins>danger</ins>'],
    [
      'where a link leads',
      'See [it](https://a.test) now.',
      'See [it](https://b.test) now.',
      '<ins>https://b.test/</ins>',
    ],
    ['pictures side by side', '![a](a.png)', '![a](b.png)', '</figure></div></del><ins><div'],
    [
      'the title of what opens',
      '<details>\n\n<summary>Old</summary>\n\nb\n\n</details>',
      '<details>\n\n<summary>New</summary>\n\nb\n\n</details>',
      '<summary><del>Old</del><ins>New</ins></summary>',
    ],
    ['HTML as text', 'a', 'a <b onclick="x">b</b> `<script>`', '<code>&lt;script></code>'],
  ])('A body shows %s', async (_case, before, after, expected) =>
    expect((await compared(before, after)).replaceAll(/ dir="auto"/g, '')).toContain(expected),
  )

  it('A body that differs in several places has links from each to the next', async () => {
    const old = read('a\n\nsame\n\nb')
    const current = read('same')
    const { document, ...marked } = markDocument(current, diffDocuments(old, current))
    const { html } = await rendered('', { document, marked })
    expect(html).toContain('<div class="changed" id="recto-change-1">')
    expect(html).toContain(
      'aria-label="Change 2 of 2"><a class="previous" href="#recto-change-1" aria-label="Previous change"></a></nav>',
    )
    expect(html).toContain('<span class="visually-hidden">Deleted: </span>')
  })

  it('A body without differences is the body of the page', async () => {
    const document = read('# A\n\n* b\n\n| c |\n| - |\n| d |')
    const { document: merged, ...marked } = markDocument(document, diffDocuments(document, document))
    expect((await rendered('', { document: merged, marked })).html).toBe((await rendered('', { document })).html)
  })

  it('A moved block says so in both places', async () => {
    const long = 'A block of some words that is moved'
    const html = await compared(`${long}\n\na\n\nb`, `a\n\nb\n\n${long}`)
    expect(html).toMatch(/Moved away: .*Moved here: /s)
  })
})
