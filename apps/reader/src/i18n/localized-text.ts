/** A text in other languages than its own, by BCP 47 tag in lower case. */
export type ByLanguage = Readonly<Partial<Record<string, string>>> | null | undefined

/** A text for readers of a language: the one for the same tag, else for the language of its region, else the text itself. */
export function localizedText(text: string, byLanguage: ByLanguage, language: string): string {
  const tag = language.toLowerCase()
  const [base = ''] = tag.split('-')
  for (const name of [tag, base]) {
    const localized = byLanguage && Object.hasOwn(byLanguage, name) ? byLanguage[name] : undefined
    if (localized !== undefined && localized !== '') return localized
  }
  return text
}
