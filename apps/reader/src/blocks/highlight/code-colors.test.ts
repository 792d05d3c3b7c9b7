import { expect, test } from '@jest/globals'
import type { ThemeRegistrationRaw } from 'shiki/core'
import { bundledThemes } from 'shiki/themes'
import { codeColors, type CodeTheme } from '../../theme/code-colors.ts'
import { colorsOfTheme } from './test/colors-of-theme.ts'

const own = ['default-light', 'default-dark', 'monochrome-light', 'monochrome-dark']
test.each(Object.keys(codeColors).filter(name => !own.includes(name)))('the table has the theme %s', async name => {
  const { default: theme } = await bundledThemes[name as keyof typeof bundledThemes]()
  expect(codeColors[name as CodeTheme]).toBe(colorsOfTheme(theme as Partial<ThemeRegistrationRaw>).join(' '))
})
