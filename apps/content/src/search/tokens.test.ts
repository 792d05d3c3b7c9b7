import { describe, expect, it } from '@jest/globals'
import { tokenize, type TokenKind } from './tokens.ts'

const of = (text: string, ...kinds: TokenKind[]) =>
  [...tokenize(text)].filter(({ kind }) => kinds.includes(kind)).map(({ lexeme }) => lexeme)

describe('tokenize', () => {
  it.each<[string, string[], string[], string[]]>([
    ['Plain words, and more', ['plain', 'words', 'and', 'more'], [], []],
    ['out-of-order', ['out-of-order'], ['out', 'of', 'order'], ['outoforder']],
    ['chunk_limit_size', ['chunk_limit_size'], ['chunk', 'limit', 'size'], ['chunklimitsize']],
    ['chunkLimitSize', ['chunklimitsize'], ['chunk', 'limit', 'size'], []],
    ['HTTPServer', ['httpserver'], ['http', 'server'], []],
    ['@type tail', ['@type', 'type', 'tail'], ['type'], []],
    ['a.b.c', ['a.b.c', 'a', 'b', 'c'], ['a', 'b', 'c'], []],
    ['api/plugins.json', ['api/plugins.json', 'api', 'plugins', 'json'], ['api', 'plugins', 'json'], []],
    ['Foo::Bar', ['foo::bar', 'foo', 'bar'], ['foo', 'bar'], []],
    ['C++ and C#', ['c++', 'c', 'and', 'c#', 'c'], ['c', 'c'], []],
    ['Größe Straße', ['grosse', 'strasse'], [], []],
    ['الإعدادات', ['الاعدادات'], [], ['اعدادات']],
    ['v0.12.', ['v0.12', 'v0', '12'], ['v0', '12'], []],
    ['', [], [], []],
    ['& | ! <-> \' "', [], [], []],
  ])('tokenize finds the tokens of %s', (text, words, parts, joined) => {
    expect([of(text, 'word'), of(text, 'part'), of(text, 'joined')]).toEqual([words, parts, joined])
  })

  it.each([
    ['缓冲区', ['缓冲', '冲区', '区']],
    ['버퍼를', ['버퍼', '퍼를', '를']],
    ['ﾊﾞｯﾌｧ', ['バッ', 'ッフ', 'ファ', 'ァ']],
    ['การตั้งค่า', []],
  ])('tokenize cuts %s into pairs of letters', (text, pairs) => expect(of(text, 'pair')).toEqual(pairs))

  it('tokenize cuts scripts without spaces into words', () => {
    expect(of('設定の検索', 'word')).toEqual(['設定', 'の', '検索'])
    expect(of('การตั้งค่า', 'word').join('')).toBe('การตั้งค่า')
    expect(of('버퍼를 설정', 'word')).toEqual(['버퍼를', '설정'])
  })

  it('tokenize says where a token is, in words and in characters', () => {
    expect(
      [...tokenize('An in_tail.')].map(({ lexeme, position, start, end }) => [lexeme, position, start, end]),
    ).toEqual([
      ['an', 1, 0, 2],
      ['in_tail', 2, 3, 10],
      ['intail', 2, 3, 10],
      ['in', 2, 3, 10],
      ['tail', 3, 3, 10],
    ])
  })

  it.each([
    ['one letter', 'a'.repeat(1_000_000)],
    ['hyphens', 'a-'.repeat(500_000)],
    ['underscores', '_'.repeat(1_000_000)],
    ['one CJK letter', '字'.repeat(50_000)],
    ['combining marks', `a${'\u0301'.repeat(500_000)}`],
    ['separators', '.@/'.repeat(300_000)],
  ])('tokenize reads a long run of %s', (_title, text) => {
    let count = 0
    for (const _token of tokenize(text)) count += 1
    expect(count).toBeGreaterThanOrEqual(0)
  })
})
