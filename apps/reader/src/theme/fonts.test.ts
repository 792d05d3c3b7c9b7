import { describe, expect, it, test } from '@jest/globals'
import { fontCss, ownFontAt, readFonts } from './fonts.ts'

const custom = (url: string, fontFamily = 'Own') => ({
  id: 'own',
  custom: true,
  fontFamily,
  fontFaces: [{ weight: 400, sources: [{ url }] }],
})
const cssOf = (font: ReturnType<typeof custom>) => fontCss({ font, monospaceFont: 'FiraCode' }, '/docs/')

test('fonts of the reader need a style sheet and no other file', () => {
  const { sheets, css } = fontCss({ font: 'Inter', monospaceFont: 'FiraCode' }, '/')
  expect(sheets).toEqual(['fonts/Inter.css', 'fonts/FiraCode.css'])
  expect(css).toMatch(/^:root\{--font-body:"Inter Variable", .*;--font-mono:"Fira Code Variable", .*\}$/)
})

test('headings have a font of their own, if the site has one', () => {
  const fonts = { font: 'Inter', monospaceFont: 'FiraCode' } as const
  const { sheets, css } = fontCss({ ...fonts, headingFont: 'Lato' }, '/')
  expect(sheets).toEqual(['fonts/Inter.css', 'fonts/Lato.css', 'fonts/FiraCode.css'])
  expect(css).toMatch(/;--font-heading:"Lato", .*\}$/)
  expect(fontCss({ ...fonts, headingFont: null }, '/').css).not.toContain('--font-heading')
})

test.each(['"', "'", '\\', '}', '{', ';', '<', '</style>', '*/', '\n', '(', ')', '"}a{b:url(//evil.example)}'])(
  'a family or URL with %j ends nothing that it stands in',
  text => {
    const { css } = cssOf(custom(`https://a.test/${text}`, `x${text}y`))
    const strings = css.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    expect(strings).toMatch(
      /^@font-face\{font-family:"";font-weight:400;font-display:swap;src:url\(""\) format\(""\)\}:root\{--font-body:"", [^{}<>]*\}$/,
    )
    expect(css).not.toMatch(/[<>]/)
  },
)

describe('a font of an organization', () => {
  const fonts = { font: custom('https://a.test/one'), monospaceFont: 'FiraCode' } as const
  const pathIn = (font: ReturnType<typeof custom>) => /url\("\/docs\/([^"]+)"\)/.exec(cssOf(font).css)?.[1] ?? ''

  it.each(['https://a.test/one', 'https://a;sandbox/f', "https://a,script-src'unsafe-inline'/f", 'no address'])(
    'is below the address of the site, wherever the API has it: %s',
    url => expect(pathIn(custom(url))).toMatch(/^~recto\/fonts\/[\w-]{22}\.woff2$/),
  )

  it.each([
    ['its path', pathIn(custom('https://a.test/one')), { url: 'https://a.test/one', format: 'woff2' }],
    ['that of another file', pathIn(custom('https://a.test/two')), undefined],
    ['that of a page', 'fonts/one', undefined],
    ['the folder', '~recto/fonts/', undefined],
  ])('is found at %s alone', (_case, path, expected) => expect(ownFontAt(fonts, path)).toEqual(expected))

  it('is found by whatever part of the site it is for', () => {
    const path = pathIn(custom('https://a.test/one'))
    const { font } = fonts
    const plain = { font: 'Inter', monospaceFont: 'FiraCode' } as const
    for (const part of [{ headingFont: font }, { monospaceFont: font }])
      expect(ownFontAt({ ...plain, ...part }, path)).toBeDefined()
    expect(ownFontAt(plain, path)).toBeUndefined()
  })

  it('is loaded once, and needs nothing else', () => {
    const { font } = fonts
    const { sheets, files: needed, css } = fontCss({ font, headingFont: font, monospaceFont: font }, '/')
    expect([sheets, needed, css.match(/@font-face/g)?.length]).toEqual([[], [], 1])
  })
})

const served = readFonts(import.meta.filename)
const names = [...served.css.keys()].map(path => /\/(\w+)\.css$/.exec(path)?.[1] as 'Inter')

describe.each(names)('the font %s', name => {
  const { sheets, files: needed } = fontCss({ font: name, monospaceFont: name as 'FiraCode' }, '/')

  it('has a sheet and a file that are served', () => {
    expect(sheets.map(sheet => served.css.has(sheet))).toEqual([true])
    expect(needed.map(file => served.files.has(file))).toEqual([true])
    expect(served.css.get(sheets[0] ?? '')).toContain(needed[0]?.replace('fonts/', ''))
  })

  it('moves no text when it comes late', () =>
    expect(new Set(served.css.get(sheets[0] ?? '')?.match(/font-display: \w+/g))).toEqual(
      new Set(['font-display: optional']),
    ))
})
