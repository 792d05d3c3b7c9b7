import { describe, expect, it } from '@jest/globals'
import { buildQuery } from './build-query.ts'
import { maxTerms, parseQuery } from './parse-query.ts'
import { renderQuery } from './text-query.ts'

const emptyVocabulary = {
  uses: new Map(),
  prefixes: new Set<string>(),
  endings: new Map(),
  similar: new Map(),
  pages: 1,
}
const words = (query: string) => parseQuery(query).terms.map(({ exact }) => exact[0])
const optional = (query: string) =>
  parseQuery(query).terms.flatMap(({ exact, isOptional }) => (isOptional ? [exact[0]] : []))

describe('parseQuery', () => {
  it.each([
    ['two words', ['two', 'words']],
    ['twice twice', ['twice']],
    ['"a phrase" and', ['a', 'phrase', 'and']],
    ['an open "quote', ['an', 'open', 'quote']],
    ['設定の検索', ['設定', 'の', '検索']],
    ['"" \'\' & | ! * \\', []],
  ])('parseQuery finds the terms of %s', (query, expected) => expect(words(query)).toEqual(expected))

  it('parseQuery does not need common words, unless there are no others', () => {
    expect(optional('how to install')).toEqual(['how', 'to'])
    expect(optional('how to')).toEqual([])
  })

  it('parseQuery bounds the number of terms', () => {
    expect(words(Array.from({ length: 200 }, (_, at) => `w${at}`).join(' '))).toHaveLength(maxTerms)
  })

  it.each([
    ['"two words"', ["('two' <-> 'words')"]],
    ['"in_tail"', ["('in' <-> 'tail')"]],
    ['"検索"', ["('検索' <-> '索':*)"]],
    ['"one"', ["'one'"]],
    ['“curly quotes”', ["('curly' <-> 'quotes')"]],
    ['no quotes', []],
  ])('parseQuery finds the phrases of %s', (query, phrases) => {
    expect(parseQuery(query).phrases.map(renderQuery)).toEqual(phrases)
  })
})

describe('buildQuery', () => {
  it('buildQuery has nothing for a query without words', () =>
    expect(buildQuery(parseQuery('!?'), emptyVocabulary)).toBeUndefined())

  it('buildQuery quotes every lexeme', () => {
    expect(renderQuery({ any: [{ lexeme: "it's\\" }, { lexeme: 'a & b', prefix: true, weights: 'A' }] })).toBe(
      "('it''s\\\\' | 'a & b':*A)",
    )
  })

  it('buildQuery takes a misspelt word for known ones, and a known word for itself', () => {
    const similar = new Map([['bufer', ['buffer']]])
    const farOf = (uses: Map<string, number>) =>
      buildQuery(parseQuery('bufer'), { ...emptyVocabulary, similar, uses })?.terms[0]?.far
    expect([farOf(new Map()), farOf(new Map([['bufer', 1]]))]).toEqual(["'buffer'", null])
  })

  it('buildQuery gives rare words more weight', () => {
    const vocabulary = {
      ...emptyVocabulary,
      pages: 100,
      uses: new Map([
        ['common', 90],
        ['rare', 1],
      ]),
    }
    const [common, rare] = buildQuery(parseQuery('common rare'), vocabulary)?.terms ?? []
    expect(rare?.weight).toBeGreaterThan(2 * (common?.weight ?? 0))
  })
})
