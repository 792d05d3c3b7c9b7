import { expect, it } from '@jest/globals'
import { customFonts, withFonts } from './custom-fonts.rules.ts'

const own = (id: string, url: string, custom = true) => ({
  id,
  custom,
  fontFamily: `Family ${url}`,
  fontFaces: [{ weight: 400, sources: [{ url: `https://a.test/${url}` }] }],
})
const plain = { font: 'Inter', monospaceFont: 'FiraCode' } as const

it.each<[Parameters<typeof customFonts>[0], [string, string][]]>([
  [plain, []],
  [{ ...plain, headingFont: null }, []],
  [{ ...plain, font: own('a', 'x') }, [['font', 'a']]],
  [
    { ...plain, headingFont: own('a', 'x'), monospaceFont: own('b', 'y') },
    [
      ['headingFont', 'a'],
      ['monospaceFont', 'b'],
    ],
  ],
  [{ ...plain, font: own('a', 'x', false) }, [['font', 'a']]],
])('the custom fonts in %j are %j', (styling, expected) =>
  expect(customFonts(styling)).toEqual(expected.map(([name, id]) => ({ field: `body.styling.${name}.id`, id }))),
)

it.each([
  ['of the record, whatever was sent', own('a', 'old'), own('a', 'new')],
  ['of the record, also where it was said to be no custom one', own('a', 'old', false), own('a', 'new')],
  ['the default, where there is no record', own('b', 'old'), 'Inter'],
  ['the same, where it is one of every reader', 'Lato', 'Lato'],
] as const)('a font is %s', (_case, font, expected) => {
  const { custom: _custom, ...record } = own('a', 'new')
  expect(withFonts({ ...plain, font }, [record])).toEqual({ ...plain, font: expected })
})

it('a heading without its font has that of texts, and code without its font the default', () => {
  const gone = own('b', 'old')
  expect(withFonts({ font: 'Lato', headingFont: gone, monospaceFont: gone }, [])).toEqual({
    font: 'Lato',
    headingFont: null,
    monospaceFont: 'IBMPlexMono',
  })
})
