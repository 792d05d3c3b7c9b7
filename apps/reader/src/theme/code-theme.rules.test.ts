import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from '@jest/globals'
import { codeColors, type CodeTheme } from './code-colors.ts'
import { codeCss } from './code-theme.rules.ts'

const pair = (light: CodeTheme, dark: CodeTheme) => ({ light, dark })
const plain = pair('default-light', 'default-dark')
const css = (code: typeof plain, openapi = code) => codeCss({ styling: { codeTheme: { default: code, openapi } } })
const selectors = (text: string) => [...text.matchAll(/([^{}]+)\{/g)].map(([, selector]) => selector)

describe('the colors of code', () => {
  it('are those of the style sheet where a site has the default', () => expect(css(plain)).toBe(''))

  it.each([
    [pair('github-light', 'default-dark'), plain, 2],
    [pair('default-light', 'nord'), pair('default-light', 'nord'), 1],
    [pair('github-light', 'nord'), pair('github-light', 'nord'), 2],
    [pair('github-light', 'nord'), plain, 4],
    [plain, pair('red', 'red'), 2],
  ])('have a rule for each place and theme that has others: %j, %j', (code, openapi, count) =>
    expect(selectors(css(code, openapi))).toHaveLength(count),
  )

  it('are those of the set', () => {
    const text = css(pair('default-light', 'nord'))
    expect(text).toMatch(/^:root\[data-theme="dark"\] \.page-body\{--code-background:#2e3440;--code-text:#d8dee9;/)
    expect(css(pair('github-light', 'nord'), plain)).toContain('.openapi{--code-background:var(--color-surface);')
  })
})

test('the table has the colors of the style sheet', () => {
  const sheet = readFileSync(new URL('../styles/parts/blocks.css', import.meta.url), 'utf8')
  const tokens = [...sheet.matchAll(/--token-\w+: (#\w+);/g)].map(([, color]) => color)
  const table = [codeColors['default-light'], codeColors['default-dark']].flatMap(set => set.split(' ').slice(2))
  expect(table.toSorted()).toEqual(tokens.toSorted())
})
