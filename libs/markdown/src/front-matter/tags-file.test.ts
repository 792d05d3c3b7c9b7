import { expect, test } from '@jest/globals'
import { readTags } from './tags-file.ts'

const path = '.gitbook/tags.yaml'
const of = (slug: string, more: object = {}) => ({ slug, label: slug, color: 'default', ...more })

test.each([
  ['an empty file', '', []],
  ['comments alone', '# later\n', []],
  ['an empty list', '[]', []],
  [
    'a list',
    '- tag: beta\n  label: Beta\n  icon: flask\n- tag: new\n  label: New\n  color: $success\n- tag: old\n  emoji: 🧪\n',
    [
      of('beta', { label: 'Beta', icon: 'flask' }),
      of('new', { label: 'New', color: '$success' }),
      of('old', { emoji: '🧪' }),
    ],
  ],
  ['a tag and a label that are numbers', '- tag: 2\n  label: 2.5\n', [of('2', { label: '2.5' })]],
  ['fields that it does not know, and empty ones', '- tag: a\n  label:\n  owner: me\n  icon: null\n', [of('a')]],
  ['blanks and invisible characters', '- tag: " a "\n  label: A\n', [of('a', { label: 'A' })]],
])('Tags are read from %s', (_what, text, tags) => expect(readTags(text, path)).toEqual({ tags, warnings: [] }))

test.each([
  ['text that is no YAML', '- tag: [', [], 1, /^The tags cannot be read: /],
  ['a map', 'beta:\n  label: Beta\n', [], 1, /^The tags are not a list$/],
  ['an entry that is a word', '- tag: a\n- b\n', [of('a')], 2, /^The tag 2 of the list is left out: it is not a map$/],
  ['an entry without name', '- label: A\n- tag: b\n', [of('b')], 1, /tag must have 1 to 100 characters$/],
  ['a name that is too long', `- tag: ${'x'.repeat(101)}\n`, [], 1, /tag must have 1 to 100 characters$/],
  ['a name that is a list', '- tag: [a]\n', [], 1, /tag must have/],
  ['a label that is a list', '- tag: a\n  label: [b]\n', [of('a')], 1, /^The tag a: label must have 1 to 100/],
  ['an unknown colour', '- tag: a\n  color: "#fff"\n', [of('a')], 1, /^The tag a: color must be one of default, green/],
  ['an icon that is too long', `- tag: a\n  icon: ${'x'.repeat(51)}\n`, [of('a')], 1, /icon must have 1 to 50/],
  ['an emoji and an icon', '- tag: a\n  icon: b\n  emoji: 🎉\n', [of('a', { emoji: '🎉' })], 1, /its icon is left out/],
  [
    'a name twice',
    '- tag: a\n- tag: a\n  label: B\n',
    [of('a')],
    2,
    /^The tag a is there twice; the first one counts$/,
  ],
  [
    'more tags than the limit',
    Array.from({ length: 502 }, (_, at) => `- tag: t${at}\n`).join(''),
    Array.from({ length: 500 }, (_, at) => of(`t${at}`)),
    501,
    /^There are more than 500 tags/,
  ],
])('A warning says what is left out of %s', (_what, text, tags, line, message) =>
  expect(readTags(text, path)).toEqual({ tags, warnings: [{ path, line, message: expect.stringMatching(message) }] }),
)
