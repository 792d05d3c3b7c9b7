import { beforeAll, describe, expect, it } from '@jest/globals'
import { toDocument } from '../index.ts'
import { isBeyondBounds } from '../syntax/bounds-check.ts'
import { countSteps } from './count-steps.ts'

const repeat = (count: number, part: (at: number) => string, between = '\n\n') =>
  Array.from({ length: count }, (_, at) => part(at)).join(between)
const tag = (name: string, options = '', body = 'x') => `{% ${name}${options} %}\n${body}\n{% end${name} %}`

/** Pages with a number of each construct. */
const constructs: Record<string, (count: number) => string> = {
  paragraphs: count => repeat(count, at => `text ${at}`),
  headings: count => repeat(count, () => '## same'),
  'headings with ids': count => repeat(count, at => `## same <a href="#x${at}" id="x${at}"></a>`),
  breaks: count => repeat(count, () => '***'),
  'footnotes at the end': count =>
    `${repeat(count, at => `word[^${at}]`)}\n\n${repeat(count, at => `[^${at}]: note ${at}`)}`,
  'footnotes between paragraphs': count => repeat(count, at => `word[^${at}] here\n\n[^${at}]: note ${at}`),
  'footnotes between headings': count => repeat(count, at => `# word\n\n[^${at}]: note ${at}`),
  'footnotes of two paragraphs': count => repeat(count, at => `word[^${at}]\n\n[^${at}]: note\n\n    more`),
  'footnotes that refer to others': count =>
    `${repeat(count, at => `word[^${at}]`)}\n\n${repeat(count, at => `[^${at}]: note[^${(at + 1) % count}]`)}`,
  'references without footnotes': count => repeat(count, at => `word[^${at}]`),
  quotes: count => repeat(count, at => `> note ${at}`),
  'quotes between paragraphs': count => repeat(count, at => `> note ${at}\n\nx`),
  'quotes with lazy lines': count => repeat(count, at => `> note ${at}\nx`),
  'quotes of two paragraphs': count => repeat(count, at => `> note ${at}\n>\n> more`),
  'items of a list': count => repeat(count, at => `* note ${at}`, '\n'),
  'items with blank lines': count => repeat(count, at => `* note ${at}`),
  'lists between paragraphs': count => repeat(count, at => `* note ${at}\n\nx`),
  'lists in lists': count => repeat(count, at => `* note ${at}\n  * b\n\nx`),
  'numbered items': count => repeat(count, at => `${at + 1}. note\n\n   more\n\nx`),
  tasks: count => repeat(count, at => `* [ ] note ${at}`, '\n'),
  hints: count => repeat(count, () => tag('hint', ' style="info"')),
  'hints with quotes': count => repeat(count, () => tag('hint', ' style="info"', '> x')),
  'hints with lists': count => repeat(count, () => tag('hint', ' style="info"', '* x')),
  tabs: count => `{% tabs %}\n${repeat(count, at => tag('tab', ` title="${at}"`))}\n{% endtabs %}`,
  steps: count => `{% stepper %}\n${repeat(count, () => tag('step', '', '## a'))}\n{% endstepper %}`,
  conditions: count => repeat(count, () => tag('if', ' visitor.claims.a')),
  embeds: count => repeat(count, () => '{% embed url="https://recto.test" %}'),
  includes: count => repeat(count, () => '{% include "a.md" %}'),
  expandables: count => repeat(count, () => '<details>\n\n<summary>a</summary>\n\nb\n\n</details>'),
  figures: count => repeat(count, () => '<figure><img src="a.png" alt=""><figcaption></figcaption></figure>'),
  code: count => repeat(count, () => '```js\nx\n```'),
  formulas: count => repeat(count, () => '$$\nx\n$$'),
  tables: count => repeat(count, () => '| a |\n| - |\n| b |'),
  links: count => repeat(count, at => `[a](b${at}.md)`),
  definitions: count => `${repeat(count, at => `[a][${at}]`)}\n\n${repeat(count, at => `[${at}]: b.md`)}`,
  images: count => repeat(count, at => `![a](b${at}.png)`),
  emoji: count => repeat(count, () => ':smile:'),
}

const names = Object.keys(constructs)
const few = 200
const many = 800
/** Four times as many take four times the steps, and a little for what grows with the logarithm; the square would be sixteen. */
const maxGrowth = 5

let steps: Map<string, [number, number]>
beforeAll(async () => {
  const pages = names.flatMap(name => [few, many].map(count => constructs[name]?.(count) ?? ''))
  const counted = await countSteps(pages)
  steps = new Map(names.map((name, at) => [name, [counted[2 * at] ?? 0, counted[2 * at + 1] ?? 0]]))
})

describe('The steps of reading a page', () => {
  it.each(names)('grow as the page does with many %s', name => {
    const [ofFew, ofMany] = steps.get(name) ?? [0, 0]
    expect(isBeyondBounds(constructs[name]?.(many) ?? '')).toBe(false)
    expect(ofFew).toBeGreaterThan(few)
    expect(ofMany / ofFew).toBeLessThan(maxGrowth)
  })
})

it('A page of 5,000 footnotes is read, and one of 50,000 is shown as it is written', () => {
  const read = (count: number) =>
    toDocument(constructs['footnotes at the end']?.(count) ?? '', { reference: url => ({ kind: 'url', url }) }).nodes
  expect(read(5_000)).toHaveLength(5_000)
  expect(read(50_000)).toMatchObject([{ type: 'code', data: { raw: true } }])
})
