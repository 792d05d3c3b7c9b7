import { expect, test } from '@jest/globals'
import { readTags, type SpaceTag } from '@recto/markdown'
import { updateTags } from './tags-file.ts'

const tag = (slug: string, more: Partial<SpaceTag> = {}): SpaceTag => ({ slug, label: slug, color: 'default', ...more })
const a = tag('a', { label: 'A' })
const b = tag('b', { label: 'B', icon: 'star', color: 'red' })
const file = '# Ours\n- tag: a # first\n  label:   "A"\n  owner: me\n- tag: b\n  label: B\n  icon: star\n  color: red\n'

test.each([
  ['nothing changed', file, [a, b], [a, b], undefined],
  ['nothing changed since, and the file has other tags', '- tag: x\n', [a], [a], undefined],
  ['the file has the changes already', file, [a, b], [], undefined],
  ['there are no tags and no file', undefined, [], [], undefined],
  ['the tag that is removed is not in the file', '- tag: x\n', [], [a], undefined],
  ['the file is no list', 'a: A\n', [a], [], undefined],
  ['the file is no YAML', '- [', [a], [], undefined],
  [
    'there is no file',
    undefined,
    [a, b],
    [],
    '- tag: a\n  label: A\n- tag: b\n  label: B\n  color: red\n  icon: star\n',
  ],
  ['a file of comments', '# Later\n', [a], [], '# Later\n\n- tag: a\n  label: A\n'],
  ['a label changed', file, [{ ...a, label: 'Ä' }, b], [a, b], file.replace('"A"', '"Ä"').replace(':   ', ': ')],
  [
    'fields were removed and others set',
    file,
    [a, tag('b', { label: 'B', emoji: '🎉' })],
    [a, b],
    file.replace(':   ', ': ').replace('  icon: star\n  color: red\n', '  emoji: 🎉\n'),
  ],
  ['a tag was removed', file, [a], [a, b], file.slice(0, file.indexOf('- tag: b')).replace(':   ', ': ')],
  [
    'lines end as on Windows',
    '- tag: a\r\n  label: A\r\n',
    [a, tag('c')],
    [a],
    '- tag: a\r\n  label: A\r\n- tag: c\r\n  label: c\r\n',
  ],
  [
    'a name has an invisible character',
    '- tag: "\u200bb"\n  label: B\n- tag: "\u200bx"\n',
    [tag('b', { label: 'C' })],
    [tag('b', { label: 'B' })],
    '- tag: "\u200bb"\n  label: C\n- tag: "\u200bx"\n',
  ],
  [
    'a tag whose name has an invisible character was removed',
    '- tag: "\u200bb"\n  label: B\n- tag: x\n',
    [],
    [tag('b', { label: 'B' })],
    '- tag: x\n',
  ],
  ['a file with a mark', '\ufeff- tag: x\n', [tag('c')], [], '\ufeff- tag: x\n- tag: c\n  label: c\n'],
])('The file of tags when %s', (_when, text, now, before, expected) => {
  expect(updateTags(text, { now, before })).toBe(expected)
})

test('What an export writes, an import reads', () => {
  const tags = [
    a,
    b,
    tag('7'),
    tag('yes', { label: '- "x": #1', emoji: '🎉' }),
    tag('c', { color: '$tint', icon: 'x' }),
  ]
  expect(readTags(updateTags(undefined, { now: tags, before: [] }) ?? '', '')).toEqual({ tags, warnings: [] })
})
