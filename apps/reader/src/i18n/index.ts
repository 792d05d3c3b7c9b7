export { directionOf, localeOf, type Locale } from './languages.ts'
export { translator, type Translate } from './translate.ts'
