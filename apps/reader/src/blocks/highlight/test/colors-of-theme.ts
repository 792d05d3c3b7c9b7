import type { ThemeRegistrationRaw } from 'shiki/core'

/** Scopes of TextMate whose color a token of the reader has, the first that the theme colors. */
const scopes = [
  ['keyword', 'keyword.control', 'storage.type', 'storage'],
  ['string', 'string.quoted'],
  ['constant.numeric', 'constant', 'constant.language'],
  ['entity.name.function', 'support.function', 'entity.name'],
  ['comment'],
  ['variable.parameter', 'variable'],
  ['punctuation', 'punctuation.definition', 'meta.brace'],
  ['markup.deleted'],
]

/** The background, the text and the tokens of a theme of Shiki, as the reader's table has them. */
export function colorsOfTheme(theme: Partial<ThemeRegistrationRaw>): string[] {
  const settings = theme.tokenColors ?? theme.settings ?? []
  const whole = settings.find(({ scope, settings: { foreground } = {} }) => !scope && foreground)?.settings
  const plain = theme.type === 'light' ? '#1c2024' : '#e8eaed'
  const text = hex(theme.colors?.['editor.foreground'] ?? whole?.foreground) ?? plain
  const background = hex(theme.colors?.['editor.background'] ?? whole?.background) ?? ''
  return [background, text, ...scopes.map(names => colorOf(names, settings) ?? text)]
}

type Settings = NonNullable<ThemeRegistrationRaw['tokenColors']>

function colorOf(names: readonly string[], settings: Settings): string | undefined {
  const colors = settings.flatMap(({ scope = [], settings: { foreground } = {} }) => {
    const all = typeof scope === 'string' ? scope.split(',') : scope
    return foreground === undefined ? [] : all.map(each => ({ scope: each.trim(), color: foreground }))
  })
  for (const name of names) {
    // The longest scope decides, and of two the last.
    const over = colors.filter(({ scope }) => name === scope || name.startsWith(`${scope}.`))
    const [best] = over.toReversed().toSorted((one, other) => other.scope.length - one.scope.length)
    if (best) return hex(best.color)
  }
  return undefined
}

/** `#abc` and `#aabbccdd` as `#aabbcc`. */
function hex(color: string | undefined): string | undefined {
  if (color?.startsWith('#') !== true) return undefined
  const digits = color.slice(1).toLowerCase()
  return `#${digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits.slice(0, 6)}`
}
