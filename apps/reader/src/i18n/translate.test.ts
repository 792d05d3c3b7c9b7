import { describe, expect, it } from '@jest/globals'
import { directionOf, languages, localeOf, type Locale } from './languages.ts'
import { en, type StringKey } from './strings/en.ts'
import { translator } from './translate.ts'

const locales = Object.keys(languages) as Locale[]
const counted = /^(.+)_(?:zero|one|two|few|many|other)$/
const keys = [...new Set(Object.keys(en).map(key => key.replace(counted, '$1')))] as StringKey[]

function stringsOf(locale: Locale): Record<string, string> {
  return languages[locale]
}

/** The keys of a language whose numbers are of these categories. */
function keysWith(categories: readonly string[]): string[] {
  return keys.flatMap(key => (key in en ? [key] : categories.map(category => `${key}_${category}`)))
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name).toSorted()
}

/** The English text that a key of any language translates. */
function englishOf(key: string): string {
  const text: string | undefined = (en as Record<string, string>)[key.replace(counted, '$1_other')]
  return text ?? stringsOf('en')[key] ?? ''
}

describe.each(locales)('%s', locale => {
  const strings = stringsOf(locale)
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()

  it('has every string, and each number category of its own', () => {
    expect(Object.keys(strings).toSorted()).toEqual(keysWith(pluralCategories).toSorted())
    expect(Object.values(strings).filter(text => text.trim() !== text || text === '')).toEqual([])
  })

  it('has the names of the English texts and no other', () => {
    const names = Object.fromEntries(Object.entries(strings).map(([key, text]) => [key, namesIn(text)]))
    expect(names).toEqual(Object.fromEntries(Object.keys(strings).map(key => [key, namesIn(englishOf(key))])))
  })

  it('is written with the quotes, apostrophes and ellipses of printed text', () => {
    expect(Object.values(strings).filter(text => /["'`]|\.\.\./.test(text))).toEqual([])
  })

  it('shows every string with its values', () => {
    const t = translator(locale)
    for (const key of keys) {
      const names = namesIn(englishOf(`${key}_other`) || englishOf(key))
      const values = Object.fromEntries(names.map((name, at) => [name, name === 'count' ? 7 : `<${name} ${at}>`]))
      const text = t(key, values)
      expect(text).not.toBe(key)
      expect(text).not.toContain('{{')
      for (const value of Object.values(values)) expect(text).toContain(String(value))
    }
  })

  it.each([0, 1, 2, 3, 5, 11, 21, 100, 1.5, 1_000_000])('counts %d', count => {
    const category = new Intl.PluralRules(locale).select(count)
    const text = translator(locale)('searchResults', { count })
    expect(text).toBe(strings[`searchResults_${category}`]?.replace('{{count}}', String(count)))
    expect(text).toContain(String(count))
  })

  it('is written in the direction of its script', () => {
    const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(strings['search'] ?? '')
    expect(directionOf(locale)).toBe(isRightToLeft ? 'rtl' : 'ltr')
  })
})

describe('texts of languages', () => {
  it.each([
    ['de', 'Suchen'],
    ['pt', 'Ficheiro'],
    ['pt-br', 'Arquivo'],
    ['zh', '搜索'],
  ] as const)('%s says %s', (locale, text) => {
    expect(keys.map(key => translator(locale)(key))).toContain(text)
  })

  it.each([
    ['pl', ['1 stronę', '2 strony', '5 stron', '22 strony']],
    ['ru', ['1 страница', '2 страницы', '5 страниц', '22 страницы']],
    ['ar', ['عُثر على 3 صفحات', 'عُثر على 11 صفحة']],
  ] as const)('%s has forms for numbers', (locale, texts) => {
    for (const text of texts) {
      const count = Number(/\d+/.exec(text)?.[0])
      expect(translator(locale)('searchResults', { count })).toContain(text)
    }
  })

  it('takes values as they are', () => {
    expect(translator('en')('searchNothing', { query: '<b>$t(close) {{count}}' })).toContain('“<b>$t(close) {{count}}”')
  })
})

describe('localeOf', () => {
  it.each<[(string | undefined)[], Locale]>([
    [['de'], 'de'],
    [['DE-at'], 'de'],
    [['pt-PT'], 'pt'],
    [['pt-BR'], 'pt-br'],
    [['zh-Hant'], 'zh'],
    [['yue'], 'zh'],
    [['nb-NO'], 'no'],
    [['nn'], 'no'],
    // The next one that is wanted, where there are no strings.
    [['cs', 'fr'], 'fr'],
    [[undefined, 'ja'], 'ja'],
    [['', 'constructor', '__proto__', 'toString'], 'en'],
    [['tlh'], 'en'],
    [[], 'en'],
  ])('%j is %s', (language, locale) => {
    expect(localeOf(...language)).toBe(locale)
  })
})

describe('directionOf', () => {
  it.each([
    ['ar', 'rtl'],
    ['AR-eg', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['ur', 'rtl'],
    ['en', 'ltr'],
    ['arn', 'ltr'],
    ['', 'ltr'],
  ] as const)('%s is %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction)
  })
})
