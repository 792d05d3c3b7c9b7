import { expect, it } from '@jest/globals'
import { withLinks } from './templates.rules.ts'

it.each([
  ['[a](ref:x)', { x: 'https://x.example' }, '[a](<https://x.example>)', ['x']],
  ['[a](ref:x) [b](ref:y)', { y: 'https://y.example/<>' }, 'a [b](<https://y.example/%3C%3E>)', ['y']],
  ['[a](ref:constructor)', {}, 'a', []],
  ['[a](other:x) `ref:x`', { x: 'https://x.example' }, '[a](other:x) `ref:x`', []],
])(
  'The template text %s with the references %j has their links',
  (markdown, links: Record<string, string>, text, used) =>
    expect(withLinks(markdown, links)).toEqual({ text, used: new Set(used) }),
)
