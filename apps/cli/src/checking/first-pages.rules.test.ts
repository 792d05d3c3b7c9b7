import { describe, expect, it } from '@jest/globals'
import { firstPages } from './first-pages.rules.ts'

const kilobyte = 1024
const file = (path: string, kilobytes = 1) => ({ path, size: kilobytes * kilobyte })
const pages = (count: number, kilobytes: number) =>
  Array.from({ length: count }, (_, at) => file(`p${at}.md`, kilobytes))

const cases: [title: string, files: { path: string; size: number }[], threads: number, batches: number[]][] = [
  ['no files', [], 2, []],
  [
    'files that are no pages',
    [file('a.png'), file('SUMMARY.md'), file('docs/SUMMARY.md'), file('large.md', 17)],
    2,
    [],
  ],
  ['a few pages', pages(3, 1), 2, [3]],
  ['more than one thread parses meanwhile', pages(10, 16), 2, [4, 4]],
  ['many empty pages', pages(20_000, 0), 2, [64, 64]],
  ['more pages than all threads parse meanwhile', pages(100, 10), 4, [7, 7, 7, 7]],
]

describe('The first pages of a folder with', () => {
  it.each(cases)('%s', (...[, files, threads, batches]) =>
    expect(firstPages(files, threads).map(batch => batch.length)).toEqual(batches),
  )

  it('are in the order of the list, each once', () =>
    expect(firstPages(pages(10, 16), 2).flat()).toEqual(pages(10, 16).slice(0, 8)))
})
