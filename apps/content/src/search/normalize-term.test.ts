import { describe, expect, it } from '@jest/globals'
import { normalizeTerm, stemOf, umlautSpellings, withoutArticle } from './normalize-term.ts'

describe('normalizeTerm', () => {
  it.each([
    ['ÄÖÜ', 'aou'],
    ['Straße', 'strasse'],
    ['café', 'cafe'],
    ['ＦＵＬＬ', 'full'],
    ['ｶﾞ', 'ガ'],
    ['が', 'が'],
    ['أَوْلَى', 'اولي'],
    ['İstanbul', 'istanbul'],
    ['Ærø', 'aero'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('normalizeTerm normalizes %s', (word, folded) => expect(normalizeTerm(word)).toBe(folded))
})

describe('umlautSpellings', () => {
  it.each([
    ['Größe', ['groesse']],
    ['Groesse', ['grosse']],
    ['Einfuehrung', ['einfuhrung']],
    ['queue', []],
    ['plain', []],
  ])('umlautSpellings has the other spellings of %s', (word, spellings) =>
    expect(umlautSpellings(word)).toEqual(spellings),
  )
})

describe('stemOf', () => {
  it.each([
    ['configuring', 'configur'],
    ['plugins', 'plugin'],
    ['protokolldateien', 'protokolldatei'],
    ['버퍼를', '버퍼'],
    ['를', undefined],
    ['bus', undefined],
    ['in_tail', undefined],
  ])('stemOf finds the stem of %s', (word, stem) => expect(stemOf(word)).toBe(stem))
})

it.each([
  ['الاعدادات', 'اعدادات'],
  ['والاعدادات', 'اعدادات'],
  ['اعدادات', undefined],
  ['ال', undefined],
])('The Arabic article of %s is cut off', (word, without) => expect(withoutArticle(word)).toBe(without))
