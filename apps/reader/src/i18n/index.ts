export { dateFormat, timeFormat } from './date-format.ts'
export { directionOf, localeOf, type Locale } from './languages.ts'
export { localizedText, type ByLanguage } from './localized-text.ts'
export { translator, type Translate } from './translate.ts'
