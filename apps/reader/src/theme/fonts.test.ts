import { describe, expect, it, test } from '@jest/globals'
import { fontCss, readFonts } from './fonts.ts'

const custom = (url: string, fontFamily = 'Own') => ({
  id: 'own',
  custom: true,
  fontFamily,
  fontFaces: [{ weight: 400, sources: [{ url }] }],
})
const cssOf = (font: ReturnType<typeof custom>) => fontCss({ font, monospaceFont: 'FiraCode' })

test('fonts of the reader need a style sheet and no other origin', () => {
  const { sheets, css, origins } = fontCss({ font: 'Inter', monospaceFont: 'FiraCode' })
  expect([sheets, origins]).toEqual([['fonts/Inter.css', 'fonts/FiraCode.css'], []])
  expect(css).toMatch(/^:root\{--font-body:"Inter Variable", .*;--font-mono:"Fira Code Variable", .*\}$/)
})

test('headings have a font of their own, if the site has one', () => {
  const fonts = { font: 'Inter', monospaceFont: 'FiraCode' } as const
  const { sheets, css } = fontCss({ ...fonts, headingFont: 'Lato' })
  expect(sheets).toEqual(['fonts/Inter.css', 'fonts/Lato.css', 'fonts/FiraCode.css'])
  expect(css).toMatch(/;--font-heading:"Lato", .*\}$/)
  expect(fontCss({ ...fonts, headingFont: null }).css).not.toContain('--font-heading')
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

test.each([
  ['https://a.test/f.woff2', ['https://a.test']],
  ['https://a.test:8443/f.woff2', ['https://a.test:8443']],
  ['http://[::1]:80/f.woff2', ['http://[::1]']],
  ['https://exämple.test/f.woff2', ['https://xn--exmple-cua.test']],
  ['https://a;sandbox/f.woff2', []],
  ["https://a;script-src'unsafe-inline'/f.woff2", []],
  ['https://a,default-src/f.woff2', []],
  ['https://*/f.woff2', []],
  ['https://*.test/f.woff2', []],
])('a font at %s is allowed from %j', (url, origins) => expect(cssOf(custom(url)).origins).toEqual(origins))

const served = readFonts(import.meta.filename)
const names = [...served.css.keys()].map(path => /\/(\w+)\.css$/.exec(path)?.[1] as 'Inter')

describe.each(names)('the font %s', name => {
  const { sheets, files: needed } = fontCss({ font: name, monospaceFont: name as 'FiraCode' })

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

test('a font of the site itself needs nothing of the reader', () => {
  const own = {
    id: 'own',
    fontFamily: 'Own',
    custom: true,
    fontFaces: [{ weight: 400, sources: [{ url: 'https://fonts.example/own.woff2', format: 'woff2' }] }],
  }
  const { sheets, files: needed, origins } = fontCss({ font: own, monospaceFont: own } as never)
  expect({ sheets, needed, origins }).toEqual({ sheets: [], needed: [], origins: ['https://fonts.example'] })
})
