import { expect, it } from '@jest/globals'
import { readOutline } from '../outline/read-outline.ts'
import { toMarkdown } from './to-markdown.ts'
import { toDocument } from '../document/to-document.ts'
import { withoutComments } from './without-comments.ts'

const reference = (url: string) => ({ kind: 'url' as const, url })
const without = (markdown: string) =>
  toMarkdown(withoutComments(toDocument(markdown, { reference })), {
    target: ref => ('url' in ref ? ref.url : ''),
  }).trim()

it.each([
  ['a\n\n<!-- one\n\ntwo -->\n\nb', 'a\n\nb'],
  ['a <!-- no -->b<!--> c<!---> d', 'a b c d'],
  ['<!-- a --><section>\nb\n</section>', '<section>\n\nb\n\n</section>'],
  ['<section>\n<!-- a -->b\n</section>', '<section>\nb\n</section>'],
  ['{% hint style="info" %}\n<!-- a -->\n{% endhint %}', '{% hint style="info" %}\n{% endhint %}'],
  ['* a\n  <!-- b -->\n* c', '* a\n* c'],
  ['a\n\n<!-- without an end\n\nb', 'a'],
  ['```html\n<!-- code -->\n```', '```html\n<!-- code -->\n```'],
  ['`<!-- code -->`', '`<!-- code -->`'],
  ['\\<!-- text -->', '\\<!-- text -->'],
])('%j is shown as %j', (markdown, expected) => expect(without(markdown)).toBe(expected))

it('A long row of starts of comments takes no long time', () => {
  const started = performance.now()
  without(`a ${'<!--'.repeat(20_000)}`)
  without(`a ${'<!-- -->'.repeat(10_000)}`)
  expect(performance.now() - started).toBeLessThan(20_000)
})

it('A search reads no comment', () => {
  const markdown = 'a <!-- secret --> b\n\n<!-- secret\n\nsecret -->\n\n* c\n  <!-- secret -->'
  expect(readOutline(markdown).sections.map(({ text }) => text)).toEqual(['a  b\nc'])
})
