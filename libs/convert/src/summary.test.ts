import { describe, expect, it } from '@jest/globals'
import { readOutline, type OutlineEntry } from './summary.ts'

const read = (...lines: string[]) => readOutline({ text: lines.join('\n'), path: 'SUMMARY.md' })

/** The titles of entries, those below one in an array after it. */
type Titles = (string | undefined | Titles)[]
const titles = (entries: OutlineEntry[]): Titles =>
  entries.flatMap(({ title, children }) => [title, ...(children.length > 0 ? [titles(children)] : [])])

const levels = ([first]: OutlineEntry[]): number => (first ? 1 + levels(first.children) : 0)
const staircase = (count: number) => Array.from({ length: count }, (_, at) => `${'  '.repeat(at)}* [A](a.md)`)

describe('a table of contents', () => {
  it.each<[string, string[], Titles]>([
    ['nests lists', ['* [A](a.md)', '  * [B](b.md)', '    * [C](c.md)', '* [D](d.md)'], ['A', ['B', ['C']], 'D']],
    ['nests by other steps', ['1. [A](a.md)', '   - [B](b.md)', '', '   - [C](c.md)'], ['A', ['B', 'C']]],
    ['nests by tabs', ['* [A](a.md)', '\t* [B](b.md)', '\t\t* [C](c.md)', '\t* [D](d.md)'], ['A', ['B', ['C'], 'D']]],
    ['nests in one line', ['* * [A](a.md)', '* [B](b.md)'], ['A', 'B']],
    ['has groups', ['* [A](a.md)', '', '## More', '', '* [B](b.md)'], ['A', 'More', ['B']]],
    ['has titles of two lines', ['* A', '  and B', '  * C'], ['A\nand B', ['C']]],
  ])('%s', (_what, lines, expected) => expect(titles(read(...lines))).toEqual(expected))

  it('has 51 levels, and what comes after those that are too deep', () => {
    const outline = read(
      ...staircase(1_000),
      `${'  '.repeat(999)}  text`,
      '* [After](after.md)',
      '  * [Below](below.md)',
    )
    expect([levels(outline), titles(outline).slice(-2)]).toEqual([51, ['After', ['Below']]])
  })

  it.each([
    ['on 51 levels', staircase(51)],
    ['after 2,000 siblings', [...Array.from({ length: 2_000 }, () => '* [A](a.md)'), '* [B](b.md)']],
  ])('loses nothing %s', (_what, lines) => {
    const count = (entries: OutlineEntry[]): number =>
      entries.reduce((sum, { children }) => sum + 1 + count(children), 0)
    expect(count(read(...lines))).toBe(lines.length)
  })
})
