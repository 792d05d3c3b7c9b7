import { createInstance, type i18n } from 'i18next'
import { languages, type Locale } from './languages.ts'
import type { StringKey } from './strings/en.ts'

/** Translates strings of the interface into one language. */
export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string

let instance: i18n | undefined

function withoutStrings(): i18n {
  const made = createInstance({
    resources: {},
    // Types see to it that every language has every string, so no other one is ever asked.
    fallbackLng: false,
    load: 'currentOnly',
    lowerCaseLng: true,
    // JSX escapes what is shown.
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
  })
  void made.init()
  return made
}

const translators = new Map<Locale, Translate>()

/** Strings of the interface in a language, which is loaded when it is asked for the first time. */
export function translator(locale: Locale): Translate {
  let translate = translators.get(locale)
  if (!translate) {
    instance ??= withoutStrings()
    instance.addResourceBundle(locale, 'translation', languages[locale])
    const fixed = instance.getFixedT(locale)
    translate = (key, values) => fixed(key, values ?? {})
    translators.set(locale, translate)
  }
  return translate
}
