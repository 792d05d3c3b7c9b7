/** The colours of text and of its background. Parsers read them without loading schemas. */
export const documentColors = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
] as const

/** A colour of text or of its background. */
export type DocumentColorName = (typeof documentColors)[number]

/** Whether a word is a colour of text. */
export function isDocumentColor(word: string): word is DocumentColorName {
  return documentColors.some(color => color === word)
}
