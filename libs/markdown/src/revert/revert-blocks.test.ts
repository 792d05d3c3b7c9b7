import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { toDocument } from '../index.ts'
import { revertBlocks } from './revert-blocks.ts'

const title = 'Page'
const read = (markdown: string) =>
  toDocument(markdown, { title, reference: target => ({ kind: 'url', url: target }) }).nodes
/** The key of the block whose text, or of a block in it, is this. */
function keyOf(markdown: string, text: string): string {
  let key = ''
  const visit = (nodes: readonly object[]) => {
    for (const node of nodes as {
      key?: string
      object: string
      nodes?: object[]
      fragments?: { nodes: object[] }[]
    }[]) {
      if (node.object !== 'block') continue
      if (JSON.stringify(node).includes(`"text":"${text}"`)) key = node.key ?? key
      visit(node.nodes ?? [])
      for (const part of node.fragments ?? []) visit(part.nodes)
    }
  }
  visit(read(markdown))
  return key
}
function revert(before: string, now: string, keys: string[]): unknown {
  const result = revertBlocks({ before: { markdown: before, title }, now: { markdown: now, title }, keys })
  return 'markdown' in result ? result.markdown : result
}

describe('a block that is reverted', () => {
  const head = '---\nicon: star\n---\n\n# Page\n\n'
  it.each([
    ['added, is removed', 'One\n\nTwo\n', 'One\n\nNew\n\nTwo\n', 'New', 'One\n\nTwo\n'],
    ['added at the end, is removed', 'One\n', 'One\n\nNew\n', 'New', 'One\n'],
    ['added at the start, is removed', 'One\n', 'New\n\nOne\n', 'New', 'One\n'],
    ['changed, is as before', 'One\n\nTwo\n', 'One\n\nTwo *more*\n', 'more', 'One\n\nTwo\n'],
    ['changed, leaves other changes', 'One\n\n***\n\nTwo\n', 'One!\n\n***\n\nTwo!\n', 'Two!', 'One!\n\n***\n\nTwo\n'],
    ['changed, leaves the style of lists', 'One\n\n- a\n- b\n', 'One!\n\n- a\n- c\n', 'One!', 'One\n\n- a\n- c\n'],
    ['in a list, leaves its other items', '* a\n* b\n', '* a!\n* b!\n', 'b!', '* a!\n* b\n'],
    [
      'in a container, leaves what else is in it',
      '{% hint style="info" %}\nA\n\n***\n\nB\n{% endhint %}\n',
      '{% hint style="info" %}\nA!\n\n***\n\nB!\n{% endhint %}\n',
      'B!',
      '{% hint style="info" %}\nA!\n\n***\n\nB\n{% endhint %}\n',
    ],
  ])('when it was %s', (_name, before, now, text, after) => {
    expect(revert(`# Page\n\n${before}`, head + now, [keyOf(now, text)])).toBe(head + after)
  })

  it('when it was deleted, is restored where it was', () => {
    const before = 'One\n\n## Middle\n\nTwo\n'
    expect(revert(before, 'One\n\nTwo\n', [keyOf(before, 'Middle')])).toBe(before)
  })

  it('when it was moved, is moved back', () => {
    const before = 'One\n\nTwo\n\nThree\n'
    const now = 'Three\n\nOne\n\nTwo\n'
    expect(revert(before, now, [keyOf(now, 'Three')])).toBe(before)
  })

  it('leaves the spelling of all others', () => {
    const before = '- a\n- b\n\nOld\n\nTitle\n=====\n'
    const now = '- a\n- b\n\nNew\n\nTitle\n=====\n'
    expect(revert(before, now, [keyOf(now, 'New')])).toBe(before)
  })

  it('keeps line endings and definitions of the page', () => {
    const before = 'Old\n'
    const now = 'New\r\n\r\n[a][x]\r\n\r\n[x]: https://a.example\r\n'
    expect(revert(before, now, [keyOf(now, 'New')])).toBe('Old\r\n\r\n[a][x]\r\n\r\n[x]: https://a.example\r\n')
  })

  it('is written anew where its lines need what is gone', () => {
    const before = 'See [a][x].\n\n[x]: https://a.example\n'
    const now = 'See b.\n'
    expect(revert(before, now, [keyOf(now, 'See b.')])).toBe('See [a](https://a.example).\n')
  })

  it('must be in the page, then or now', () => {
    expect(revert('One\n', 'Two\n', [keyOf('One\n', 'One'), 'nothing'])).toEqual({ unknown: 'nothing' })
  })
})

const paragraphs = [
  'a',
  'b',
  '## c',
  '* d\n* e',
  '> f',
  '```\ng\n```',
  '{% hint style="info" %}\nh\n\ni\n{% endhint %}',
  '***',
]
const pages = fc
  .array(fc.constantFrom(...paragraphs), { maxLength: 6 })
  .map(parts => parts.map(part => `${part}\n`).join('\n'))
const withoutKeys = (markdown: string): unknown =>
  JSON.parse(JSON.stringify(read(markdown), (name, value: unknown) => (name === 'key' ? undefined : value)))

it('a page of which all blocks are reverted is read as before, and one of which none is stays', () => {
  fc.assert(
    fc.property(pages, pages, (before, now) => {
      const keys = [...read(before), ...read(now)].flatMap(({ key }) => key ?? [])
      expect(withoutKeys(revert(before, now, keys) as string)).toEqual(withoutKeys(before))
      expect(revert(before, now, [])).toBe(now)
    }),
  )
})
