import { expect, it } from '@jest/globals'
import { createDepartures } from './departures.rules.ts'

/** The questions, from 1, after which a client leaves. */
function departuresAt(answers: boolean[]): number[] {
  const departures = createDepartures()
  return answers.flatMap((isAnswered, at) => (departures.isDue(isAnswered) ? [at + 1] : []))
}
const unanswered = (count: number) => Array.from({ length: count }, () => false)

it.each([
  ['answers', [true, true, true, true], []],
  ['does not answer two questions', [...unanswered(2), true, ...unanswered(2)], []],
  ['does not answer any more', unanswered(60), [3, 4, 6, 10, 18, 34, 50]],
  ['answers again, and then does not', [...unanswered(20), true, ...unanswered(4)], [3, 4, 6, 10, 18, 24, 25]],
])('A server that %s is left after these questions', (_title, answers, questions) => {
  expect(departuresAt(answers)).toEqual(questions)
})
