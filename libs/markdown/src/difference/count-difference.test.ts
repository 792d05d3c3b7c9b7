import { expect, it } from '@jest/globals'
import { countDifference, diffDocuments } from '../index.ts'
import { read } from '../test/round-trip.ts'

it.each([
  ['nothing', 'a b', 'a b', 0, 0],
  ['words', 'one two three four', 'one 2 three four five', 2, 1],
  ['a new block', 'a', 'a\n\nthree more words', 3, 0],
  ['a deleted image', 'a\n\n![](b.png)', 'a', 0, 1],
  ['a field', '* [ ] a task', '* [x] a task', 1, 1],
  ['a moved block', 'a b c d\n\nx\n\ny', 'x\n\ny\n\na b c d', 0, 0],
  ['a row', '| a | b |\n| - | - |\n| c | d |', '| a | b |\n| - | - |\n| c | d |\n| e f | g |', 3, 0],
])('Of %s it counts the words', (_case, before, after, insertions, deletions) =>
  expect(countDifference(diffDocuments(read(before), read(after)))).toEqual({ insertions, deletions }),
)
