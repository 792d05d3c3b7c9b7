import { expect, it } from '@jest/globals'
import { batchesOf, memoryKey, replyFault, shortenText, wordCount } from './texts.rules.ts'

const settings = { from: 'en', to: 'de', instructions: '' }

it('A text is remembered with all that its translation depends on', () => {
  const keys = [
    memoryKey(settings, 'a'),
    memoryKey(settings, 'b'),
    memoryKey({ ...settings, from: 'fr' }, 'a'),
    memoryKey({ ...settings, to: 'fr' }, 'a'),
    memoryKey({ ...settings, instructions: 'x' }, 'a'),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(memoryKey({ ...settings }, 'a')).toBe(keys[0])
})

it.each([
  ['a <x1/>', 'b <x1/>', undefined],
  ['a <x1/>', 'b', 'placeholders'],
  ['a', '<i>b</i>', 'markup'],
  ['a', 'b\0', 'stored'],
  ['a', 'b\ud800', 'stored'],
  ['a', 'b'.repeat(1_000), 'more text'],
  ['a', '', 'placeholders'],
])('The reply to %j is %j', (sent, reply, fault) =>
  fault === undefined
    ? expect(replyFault(sent, reply)).toBeUndefined()
    : expect(replyFault(sent, reply)).toContain(fault),
)

it.each([
  [['aa', 'bb', 'cc'], { segments: 2, characters: 100 }, [['aa', 'bb'], ['cc']]],
  [['aa', 'bb', 'cc'], { segments: 9, characters: 4 }, [['aa', 'bb'], ['cc']]],
  [['a'.repeat(9), 'b'], { segments: 9, characters: 4 }, [['a'.repeat(9)], ['b']]],
  [[], { segments: 9, characters: 4 }, []],
])('The texts %j go into batches within %j', (texts, bounds, expected) =>
  expect(
    batchesOf(
      texts.map(text => ({ text })),
      bounds,
    ).map(batch => batch.map(({ text }) => text)),
  ).toEqual(expected),
)

it('Words of texts are counted, and texts are shortened', () => {
  expect(wordCount('One <x1>two</x1>, <x2/> it’s 3')).toBe(5)
  expect(shortenText('a\n  <x1>b</x1>')).toBe('a b')
  expect(shortenText('a'.repeat(300))).toHaveLength(200)
})
