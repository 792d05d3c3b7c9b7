import { describe, expect, it } from '@jest/globals'
import { appendToUrl, hasDotSegment, matchWildcard, withQuery } from './match-wildcard.rules.ts'

const bestMatch = (sources: string[], parts: string[]) => {
  const match = matchWildcard(
    sources.map(source => ({ source })),
    parts,
  )
  return match && [match.redirect.source, match.suffix.join('|')]
}

describe('a wildcard', () => {
  it.each<[string, string[], string[], string[] | undefined]>([
    ['stands for a path below it', ['/a/*'], ['a', 'b'], ['/a/*', 'b']],
    ['stands for everything below it', ['/a/*'], ['a', 'b', 'c'], ['/a/*', 'b|c']],
    ['stands for its own path', ['/a/*'], ['a'], ['/a/*', '']],
    ['stands for its own path of several parts', ['/a/b/*'], ['A', 'b'], ['/a/b/*', '']],
    ['does not stand for a path above it', ['/a/b/*'], ['a'], undefined],
    ['does not stand for the beginning of its own path', ['/ab/*'], ['a'], undefined],
    ['does not stand for the root', ['/a/*'], [''], undefined],
    ['does not stand for a path beside it', ['/a/*'], ['ab', 'c'], undefined],
    ['without a slash stands for what begins so', ['/a*'], ['ab', 'c'], ['/a*', 'b|c']],
    ['without a slash stands for its own path', ['/a*'], ['a'], ['/a*', '']],
    ['without a slash stands for what is below it', ['/a*'], ['a', 'b'], ['/a*', 'b']],
    ['without a slash does not stand for another', ['/a*'], ['b'], undefined],
    ['without a slash below a part keeps that part', ['/a/b*'], ['x', 'b'], undefined],
    ['that is longer wins over a shorter one', ['/a/*', '/a/b/*', '/*'], ['a', 'b', 'c'], ['/a/b/*', 'c']],
    ['that is shorter stands for what the longer one does not', ['/a/*', '/a/b/*'], ['a', 'c'], ['/a/*', 'c']],
    ['with a slash wins over one without', ['/a*', '/a/*'], ['a', 'b'], ['/a/*', 'b']],
    ['with a slash wins over one without, for its own path, too', ['/a*', '/a/*'], ['a'], ['/a/*', '']],
    ['in lower case stands for any case, and the rest keeps its own', ['/old/*'], ['OLD', 'Page'], ['/old/*', 'Page']],
    ['in the own spelling wins over lower case', ['/old/*', '/Old/*'], ['Old', 'x'], ['/Old/*', 'x']],
    ['in another spelling is none', ['/Old/*'], ['old', 'x'], undefined],
    ['is compared with decoded parts', ['/%C3%A4%2Ab/*'], ['ä*b', 'c/d'], ['/%C3%A4%2Ab/*', 'c/d']],
  ])('%s', (_title, sources, parts, expected) => expect(bestMatch(sources, parts)).toEqual(expected))
})

it.each<[string, string[], string]>([
  ['https://x.example', ['a', 'b c'], 'https://x.example/a/b%20c'],
  ['https://x.example/docs/', ['a'], 'https://x.example/docs/a'],
  ['https://x.example/docs?v=1#top', ['a'], 'https://x.example/docs/a?v=1#top'],
  ['https://x.example/docs', [], 'https://x.example/docs'],
  ['https://x.example/日?é', [], 'https://x.example/%E6%97%A5?%C3%A9'],
  ['https://x.example', ['.evil.example'], 'https://x.example/.evil.example'],
  ['https://x.example', ['@evil.example', '\\evil', '?q', '#h'], 'https://x.example/%40evil.example/%5Cevil/%3Fq/%23h'],
  ['https://x.example', ['/evil.example'], 'https://x.example/%2Fevil.example'],
])('%s with %j appended is %s', (url, parts, expected) => expect(appendToUrl(url, parts)).toBe(expected))

it.each([
  ['https://x.example/a', 'b=1&c=', 'https://x.example/a?b=1&c='],
  ['https://x.example/a#top', 'b=1', 'https://x.example/a?b=1#top'],
  ['https://x.example/a?v=1#top', 'b=2', 'https://x.example/a?v=1&b=2#top'],
  ['https://x.example/a?v=1', 'v=2&v=3&b=2&%76=4', 'https://x.example/a?v=1&b=2'],
  ['https://x.example/a?v=1', 'v', 'https://x.example/a?v=1'],
  ['https://x.example/a', 'q=a%20b+c&&flag', 'https://x.example/a?q=a%20b+c&flag'],
  ['https://x.example/a', '', 'https://x.example/a'],
  ['https://x.example', '//evil.example/@#x', 'https://x.example/?//evil.example/@%23x'],
])('%s with the query %s of a visitor is %s', (url, query, expected) => expect(withQuery(url, query)).toBe(expected))

it('dot segments are found in decoded parts', () => {
  expect([['a', '..'], ['.'], ['...', 'a.']].map(parts => hasDotSegment(parts))).toEqual([true, true, false])
})
