import { expect, it } from '@jest/globals'
import { refusalOf, tokensIn } from './budget.rules.ts'

const limits = { questions: 10, tokens: 1_000, concurrency: 2 }
const use = { questions: 9, tokens: 900, running: 1, untilTomorrow: 60 }

it.each([
  [{}, 100, undefined],
  [{ questions: 10 }, 1, 60],
  [{}, 101, 60],
  [{ tokens: 1_000 }, 1, 60],
  [{ running: 2 }, 100, 5],
])(
  'A question of an organization that has used %j, with %d tokens, is refused for %s seconds',
  (more, tokens, wait) => {
    expect(refusalOf({ ...use, ...more }, tokens, limits)?.retryAfter).toBe(wait)
  },
)

it.each([
  ['', 0],
  ['a word', 2],
  ['文字', 2],
])('The text %j has about %d tokens', (text, tokens) => {
  expect(tokensIn(text)).toBe(tokens)
})
