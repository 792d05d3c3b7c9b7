import { expect, it } from '@jest/globals'
import { customFontIds, withFonts } from './custom-fonts.rules.ts'

const own = (id: string, url: string, custom = true) => ({
  id,
  custom,
  fontFamily: `Family ${url}`,
  fontFaces: [{ weight: 400, sources: [{ url: `https://a.test/${url}` }] }],
})
const plain = { font: 'Inter', monospaceFont: 'FiraCode' } as const

it.each<[Parameters<typeof customFontIds>[0], string[]]>([
  [plain, []],
  [{ ...plain, headingFont: null }, []],
  [{ ...plain, font: own('a', 'x') }, ['a']],
  [{ ...plain, font: own('a', 'x'), headingFont: own('a', 'x'), monospaceFont: own('b', 'y') }, ['a', 'b']],
  [{ ...plain, font: own('a', 'x', false) }, []],
])('the fonts of an organization in %j are %j', (styling, expected) => expect(customFontIds(styling)).toEqual(expected))

it('fonts are as they are now, and those that nobody knows as they were sent', () => {
  const { custom: _custom, ...current } = own('a', 'new')
  const styling = { font: own('a', 'old'), headingFont: own('b', 'old'), monospaceFont: own('a', 'old', false) }
  expect(withFonts(styling, [current])).toEqual({ ...styling, font: own('a', 'new') })
  expect(withFonts(plain, [current])).toEqual(plain)
})
