import { ar } from './strings/ar.ts'
import { de } from './strings/de.ts'
import { en, type Strings } from './strings/en.ts'
import { es } from './strings/es.ts'
import { fr } from './strings/fr.ts'
import { he } from './strings/he.ts'
import { it } from './strings/it.ts'
import { ja } from './strings/ja.ts'
import { ko } from './strings/ko.ts'
import { nl } from './strings/nl.ts'
import { no } from './strings/no.ts'
import { pl } from './strings/pl.ts'
import { ptBr } from './strings/pt-br.ts'
import { pt } from './strings/pt.ts'
import { ru } from './strings/ru.ts'
import { sv } from './strings/sv.ts'
import { tr } from './strings/tr.ts'
import { uk } from './strings/uk.ts'
import { zh } from './strings/zh.ts'

/** Strings of the languages of the interface, by their BCP 47 tag in lower case. */
export const languages = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  'pt-br': ptBr,
  nl,
  no,
  sv,
  pl,
  uk,
  ru,
  tr,
  ar,
  he,
  zh,
  ja,
  ko,
} as const satisfies Record<string, Strings<'other'>>

/** A language of the interface. */
export type Locale = keyof typeof languages

/** Tags of languages whose readers read another one, as CLDR matches them. */
const readAs: Readonly<Record<string, Locale>> = { nb: 'no', nn: 'no', yue: 'zh' }

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])

/** The language of the interface for a space of some language: the same one, or the closest that there is. */
export function localeOf(...preferences: readonly (string | undefined)[]): Locale {
  for (const tag of preferences) {
    const lower = tag?.toLowerCase() ?? ''
    const [base = ''] = lower.split('-')
    const languageName = [lower, base].find(name => Object.hasOwn(languages, name))
    if (languageName !== undefined) return languageName as Locale
    if (Object.hasOwn(readAs, base)) return readAs[base] ?? 'en'
  }
  return 'en'
}

/** The direction in which text of a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeft.has(tag.split('-')[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'
}
