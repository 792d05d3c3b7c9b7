/** Characters of a lexeme; the rest of a longer word is not searched. */
export const maxLexeme = 64

/** Accents and the vowel signs of Arabic and Hebrew, which readers leave out; the marks of other scripts tell words apart. */
const optionalMarks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
const sameLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
}
const replaced = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'g')

/** The form in which words are compared: lower case, without accents, half and full width alike. */
export function normalizeTerm(word: string): string {
  const plain = word.normalize('NFKD').replace(optionalMarks, '').normalize('NFC').toLowerCase()
  const folded = plain.replace(optionalMarks, '').replace(replaced, letter => sameLetters[letter] ?? letter)
  return folded.length <= maxLexeme ? folded : [...folded].slice(0, maxLexeme).join('')
}

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Folded spellings of a German word with and without umlauts, besides `normalizeTerm` itself: `groesse` for `Größe`, `grosse` for `Groesse`. */
export function umlautSpellings(word: string): string[] {
  const lower = word.normalize('NFC').toLowerCase()
  const transliteration = normalizeTerm(lower.replace(/[äöü]/g, letter => umlauts[letter] ?? letter))
  const short = normalizeTerm(lower.replace(/ae|oe|(?<![aeq])ue/g, pair => pair[0] ?? pair))
  return [...new Set([transliteration, short])].filter(spelling => spelling !== normalizeTerm(word))
}

/** An Arabic word without its article, also after a preposition; undefined when it has none. */
export function withoutArticle(folded: string): string | undefined {
  return /^(?:[وفبك]?ال|لل)(\p{sc=Arab}{3,})$/u.exec(folded)?.[1]
}

const endings = [
  // Korean particles, then endings of English and German words; longer ones first.
  /(?:에서는|으로|에서|에게|하기|하는|합니다|까지|부터|을|를|이|가|은|는|의|에|로|와|과|도)$/u,
  /(?:ations?|ingly|ings?|edly|ies|ied|ers?|ern|em|en|es|ed|e|s|n|y)$/,
]

/** The beginning that a word shares with its other forms (`configur` of `configuring`); undefined when it has no known ending. */
export function stemOf(folded: string): string | undefined {
  const [particle = /$^/, ending = /$^/] = endings
  if (/^\p{sc=Hang}+$/u.test(folded)) {
    const stem = folded.replace(particle, '')
    return stem !== folded && stem.length >= 2 ? stem : undefined
  }
  if (!/^[a-z]+$/.test(folded)) return undefined
  const stem = folded.replace(ending, '')
  return stem !== folded && stem.length >= 4 ? stem : undefined
}
