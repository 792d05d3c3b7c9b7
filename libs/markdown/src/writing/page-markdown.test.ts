import { describe, expect, it } from '@jest/globals'
import { withIncluded } from '../document/included.ts'
import { withReferences, writtenReference } from '../document/references.ts'
import { toDocument } from '../document/to-document.ts'
import { writePage } from './page-markdown.ts'
import { withRawTargets } from './raw-targets.ts'

const read = (markdown: string) => toDocument(markdown, { reference: writtenReference })
const plain = (markdown: string) => withReferences(read(markdown), url => ({ kind: 'url', url }))

describe('a page for those who do not edit it', () => {
  it.each([
    ['Title', undefined, 'Text\n', '# Title\n\nText\n'],
    ['A *title*\nof lines', 'Some\n\n[words]', 'Text\n', '# A \\*title\\* of lines\n\nSome \\[words]\n\nText\n'],
    ['Title', ' ', '', '# Title\n'],
    ['Title', undefined, '---\nicon: x\n---\n\n## Next\n', '# Title\n\n## Next\n'],
  ])('%j with the description %j', (title, description, markdown, expected) => {
    expect(writePage({ title, document: plain(markdown), ...(description !== undefined && { description }) })).toBe(
      expected,
    )
  })
})

describe('reusable content', () => {
  const including = (markdown: string) =>
    withReferences(read(markdown), (url, kind) =>
      kind === 'include' ? { kind: 'reusable-content', reusableContent: url } : { kind: 'url', url },
    )

  it('stands where it is included, in tags too, and stays where there is none', async () => {
    const markdown =
      '{% include "a.md" %}\n\n{% hint style="info" %}\n{% include "a.md" %}\n{% endhint %}\n\n{% include "b.md" %}'
    const load = async (id: string) => (id === 'a.md' ? plain('Shared **words**').nodes : undefined)
    const document = await withIncluded(including(markdown), load)
    const page = writePage({ title: 'Title', document })
    expect(page.match(/Shared \*\*words\*\*/g)).toHaveLength(2)
    expect(page).toContain('{% hint style="info" %}\nShared **words**\n{% endhint %}')
    expect(page.match(/\{% include/g)).toHaveLength(1)
  })
})

it.each([
  ['<video src="../a.mp4" controls></video>', '<video src="URL" controls></video>'],
  ['<iframe src="b.html"></iframe>', '<iframe src="b.html"></iframe>'],
  ["text <audio src='../a.mp4'></audio>", "text <audio src='URL'></audio>"],
  ['```html\n<video src="../a.mp4">\n```', '```html\n<video src="../a.mp4">\n```'],
])('targets are replaced in what is not understood, and in no code: %s', (markdown, expected) => {
  const document = withRawTargets(plain(markdown), target => (target === '../a.mp4' ? 'URL' : undefined))
  expect(writePage({ title: 'Title', document })).toBe(`# Title\n\n${expected}\n`)
})
