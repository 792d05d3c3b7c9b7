import { beforeAll, describe, expect, it } from '@jest/globals'
import { countSteps } from '../test/count-steps.ts'

const sentence = 'the quick brown fox jumps over the lazy dog and some more words follow'.split(' ')
const paragraph = (at: number, other = 0) =>
  sentence.map((word, place) => `${word}${(at * 7 + place * 3 + other) % 11}`).join(' ')
const page = (count: number, block: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => block(at)).join('\n\n')
const table = (count: number, row: (at: number) => string) =>
  `| a | b |\n| - | - |\n${Array.from({ length: count }, (_, at) => `| ${row(at)} | ${at} |`).join('\n')}`

/** Two pages of a number of blocks each. */
const pairs: Record<string, (count: number) => [before: string, after: string]> = {
  'the same blocks': count => [page(count, paragraph), page(count, paragraph)],
  'a word more in each block': count => [page(count, paragraph), page(count, at => `${paragraph(at)} new`)],
  'another beginning of each block': count => [page(count, paragraph), page(count, at => `x ${paragraph(at)}`)],
  'other words everywhere': count => [page(count, paragraph), page(count, at => paragraph(at, 5).toUpperCase())],
  'blocks between': count => [
    page(count, paragraph),
    page(count, at => `${at % 10 ? '' : `x ${at}\n\n`}${paragraph(at)}`),
  ],
  'few texts many times': count => [page(count, () => 'a b'), page(count, at => (at % 2 ? 'a b' : 'c d'))],
  'the reverse order': count => [page(count, paragraph), page(count, at => paragraph(count - at))],
  'a word more in each row': count => [table(count, paragraph), table(count, at => `${paragraph(at)} new`)],
  'one long paragraph': count => [
    page(count, paragraph).replaceAll('\n', ' '),
    page(count, at => `${paragraph(at)} new`).replaceAll('\n', ' '),
  ],
}

const names = Object.keys(pairs)
const few = 250
const many = 1000
/** Four times as many take four times the steps, and a little for what grows with the logarithm; the square would be sixteen. */
const maxGrowth = 6

const steps = {
  prepare:
    "return JSON.parse(text).map(page => library.toDocument(page, { reference: url => ({ kind: 'url', url }) }))",
  run: 'library.applyDifference(input[0], library.diffDocuments(input[0], input[1]))',
}

describe('The steps of comparing pages', () => {
  let counts: number[] = []
  beforeAll(async () => {
    const texts = names.flatMap(name => [few, many].map(count => JSON.stringify(pairs[name]?.(count))))
    counts = await countSteps(texts, steps)
  })

  it.each(names)('grow as the pages do with %s', name => {
    const at = 2 * names.indexOf(name)
    const ofFew = counts[at] ?? 0
    expect(ofFew).toBeGreaterThan(few)
    expect((counts[at + 1] ?? 0) / ofFew).toBeLessThan(maxGrowth)
  })
})
