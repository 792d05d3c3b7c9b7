import { expect, it } from '@jest/globals'
import { withoutShorthand } from './path.ts'

it.each([
  ['a path without shorthand', 'M0 0L1 1H5V-2Z', 'M0 0L1 1H5V-2Z'],
  ['one that mirrors the control point', 'M0 0Q1 2 2 0T4 0', 'M0 0Q1 2 2 0Q3 -2 4 0'],
  ['several in a row', 'M0 0Q1 2 2 0T4 0T6 0', 'M0 0Q1 2 2 0Q3 -2 4 0Q5 2 6 0'],
  ['one after a line', 'M0 0H3T5 5', 'M0 0H3Q3 0 5 5'],
  ['negative numbers without blanks', 'M-1-2Q-3-4-5-6T1-1', 'M-1-2Q-3-4-5-6Q-7 -8 1 -1'],
  ['commands that MathJax does not write', 'M0 0c1 1 2 2 3 3T4 4', 'M0 0c1 1 2 2 3 3T4 4'],
])('withoutShorthand of %s', (_case, path, expected) => expect(withoutShorthand(path)).toBe(expected))
