import type { Customization } from '../api/types.ts'
import { codeColorNames, codeColors, type CodeTheme } from './code-colors.ts'

type Theme = 'light' | 'dark'

/** The colors of code on pages, and of code of APIs where those are others; nothing for those that the style sheet has itself. */
export function codeCss({ styling: { codeTheme } }: { styling: Pick<Customization['styling'], 'codeTheme'> }): string {
  const { default: code, openapi } = codeTheme
  const rules = (['light', 'dark'] as const).flatMap(theme => [
    ...(isOwn(code[theme], theme) ? [] : [rule('.page-body', code[theme], theme)]),
    ...(openapi[theme] === code[theme] ? [] : [rule('.page-body .openapi', openapi[theme], theme)]),
  ])
  return rules.join('')
}

/** Whether a set of colors is the one that the style sheet has for a theme. */
function isOwn(name: CodeTheme, theme: Theme): boolean {
  return name === `default-${theme}`
}

function rule(selector: string, name: CodeTheme, theme: Theme): string {
  const colors = codeColors[name].split(' ')
  const surfaces = isOwn(name, theme) ? ['var(--color-surface)', 'var(--color-text)'] : []
  const properties = codeColorNames.map((of, at) => {
    const property = of === 'background' || of === 'text' ? `--code-${of}` : `--token-${of}`
    return `${property}:${surfaces[at] ?? colors[at]}`
  })
  const root = theme === 'dark' ? ':root[data-theme="dark"]' : ':root:not([data-theme="dark"])'
  return `${root} ${selector}{${properties.join(';')}}`
}
