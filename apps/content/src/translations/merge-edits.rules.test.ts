import { expect, it } from '@jest/globals'
import { mergedRecord, mergedValue, mergeTokens } from './merge-edits.rules.ts'

it.each([
  ['a', 'a', 'b', 'b'],
  ['a', 'e', 'a', 'e'],
  ['a', 'e', 'b', 'e'],
  [undefined, undefined, 'b', 'b'],
  ['a', undefined, 'b', undefined],
])('A value that was %p, edited to %p and translated to %p becomes %p', (base, edited, machine, expected) =>
  expect(mergedValue({ base, edited, machine })).toBe(expected),
)

it('A record is merged field by field, and the place of a page as one field', () => {
  const base = { title: 'T', icon: 'i', parent: null, order: 'a0', emoji: 'e' }
  const edited = { title: 'Eigen', icon: 'i', parent: 'p', order: 'a0', emoji: 'e' }
  const machine = { title: 'Neu', parent: 'q', order: 'a5', emoji: 'f', slug: 's' }
  expect(mergedRecord<object>({ base, edited, machine })).toEqual({
    title: 'Eigen',
    parent: 'p',
    order: 'a0',
    emoji: 'f',
    slug: 's',
  })
})

const split = (text: string) => text.split(/(?<=\|)|(?=\|)/)
it.each([
  ['takes what the run changes', 'a|b|c', 'a|b|c', 'a|B|c', 'a|B|c', []],
  ['keeps what people changed', 'a|b|c', 'a|x|c', 'a|b|C', 'a|x|C', ['x']],
  ['keeps it where both changed it', 'a|b|c', 'a|x|c', 'a|B|c', 'a|x|c', ['x']],
  ['lists nothing where both are the same', 'a|b|c', 'a|x|c', 'a|x|c', 'a|x|c', []],
  ['keeps what people added', 'a|c', 'a|x|c', 'A|c', 'A|x|c', ['x|']],
  ['leaves out what people removed', 'a|b|c', 'a|c', 'a|b|C', 'a|C', []],
] as const)('A page with edits %s', (_title, base, edited, machine, expected, keptEdits) => {
  const merged = mergeTokens({ base: split(base), edited: split(edited), machine: split(machine) })
  expect(merged.tokens.join('')).toBe(expected)
  expect(merged.kept).toEqual(keptEdits)
})
