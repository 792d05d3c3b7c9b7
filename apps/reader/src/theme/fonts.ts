import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Customization } from '../api/types.ts'

type FontName = Extract<Customization['styling']['font' | 'monospaceFont'], string>

/** A font that the reader serves itself: its package, the family in its CSS, and which of its style sheets are needed. */
interface ServedFont {
  name: string
  family: string
  sheets: readonly string[]
  /** The file of Latin letters in text, which nearly every page shows. */
  latin: string
}

const variable = (name: string, family: string): ServedFont => ({
  name: `@fontsource-variable/${name}`,
  family: `${family} Variable`,
  sheets: ['index.css'],
  latin: `fonts/${name}-latin-wght-normal.woff2`,
})
const fixed = (name: string, family: string, weights = ['400', '700']): ServedFont => ({
  name: `@fontsource/${name}`,
  family,
  sheets: weights.map(weight => `${weight}.css`),
  latin: `fonts/${name}-latin-${weights[0]}-normal.woff2`,
})

/** ABC Favorit may not be distributed; Inter is shown instead. */
const fonts: Record<FontName, ServedFont> = {
  ABCFavorit: variable('inter', 'Inter'),
  Inter: variable('inter', 'Inter'),
  Roboto: variable('roboto', 'Roboto'),
  RobotoSlab: variable('roboto-slab', 'Roboto Slab'),
  OpenSans: variable('open-sans', 'Open Sans'),
  SourceSansPro: variable('source-sans-3', 'Source Sans 3'),
  Lato: fixed('lato', 'Lato'),
  Ubuntu: fixed('ubuntu', 'Ubuntu'),
  Raleway: variable('raleway', 'Raleway'),
  Merriweather: variable('merriweather', 'Merriweather'),
  Overpass: variable('overpass', 'Overpass'),
  NotoSans: variable('noto-sans', 'Noto Sans'),
  IBMPlexSerif: fixed('ibm-plex-serif', 'IBM Plex Serif', ['400', '600']),
  Poppins: fixed('poppins', 'Poppins', ['400', '600']),
  FiraSans: fixed('fira-sans', 'Fira Sans', ['400', '600']),
  FiraCode: variable('fira-code', 'Fira Code'),
  IBMPlexMono: fixed('ibm-plex-mono', 'IBM Plex Mono', ['400', '600']),
  JetBrainsMono: variable('jetbrains-mono', 'JetBrains Mono'),
  SourceCodePro: variable('source-code-pro', 'Source Code Pro'),
  RobotoMono: variable('roboto-mono', 'Roboto Mono'),
  SpaceMono: fixed('space-mono', 'Space Mono'),
  DMMono: fixed('dm-mono', 'DM Mono', ['400', '500']),
  Inconsolata: variable('inconsolata', 'Inconsolata'),
}

const system = {
  body: 'system-ui, "Noto Sans", "Noto Sans CJK SC", "Noto Sans Arabic", sans-serif',
  mono: 'ui-monospace, "Liberation Mono", Menlo, monospace',
}

/** The files of fonts that the reader serves, by the path below its assets. */
export interface FontFiles {
  /** Style sheets of a name, such as `fonts/Inter.css`. */
  css: ReadonlyMap<string, string>
  /** Absolute paths of font files, such as of `fonts/inter-latin-wght-normal.woff2`. */
  files: ReadonlyMap<string, string>
}

/** Reads the style sheets of all fonts; their files are read when they are asked for. */
export function readFonts(from: string): FontFiles {
  const require = createRequire(from)
  const css = new Map<string, string>()
  const files = new Map<string, string>()
  for (const [id, font] of Object.entries(fonts)) {
    const folder = dirname(require.resolve(`${font.name}/package.json`))
    const sheets = font.sheets.map(sheet => readFileSync(join(folder, sheet), 'utf8')).join('\n')
    const local = sheets
      // All browsers of today read WOFF 2.
      // Text never moves once it shows: a font that comes late is there on the next page.
      .replaceAll('font-display: swap', 'font-display: optional')
      .replaceAll(/, url\([^)]*\) format\('woff'\)/g, '')
      .replaceAll(/url\(\.\/files\/([\w.-]+)\)/g, (_all, file: string) => {
        const path = join(folder, 'files', file)
        if (existsSync(path)) files.set(`fonts/${file}`, path)
        return `url(${file})`
      })
    css.set(`fonts/${id}.css`, local)
  }
  return { css, files }
}

/** The style sheets that a site's fonts need in its pages. */
export interface FontCss {
  /** Style sheets of the reader. */
  sheets: string[]
  /** Font files of the reader that are needed at once. */
  files: string[]
  /** CSS of the page: fonts of the organization, and the properties that name the families. */
  css: string
}

type Fonts = Pick<Customization['styling'], 'font' | 'headingFont' | 'monospaceFont'>
type OwnFont = Exclude<Fonts['font'], FontName>

/** The style sheets of a site's fonts; its files are below `root`, an address that ends in a slash. */
export function fontCss({ font, headingFont, monospaceFont }: Fonts, root: string): FontCss {
  const chosen = [font, ...(headingFont ? [headingFont] : []), monospaceFont]
  const faces = ownFonts({ font, headingFont, monospaceFont }).flatMap(({ fontFamily, fontFaces }) =>
    fontFaces.map(({ weight, sources }) => {
      const src = sources.map(
        ({ url, format = 'woff2' }) => `url(${quote(`${root}${ownFontPath(url, format)}`)}) format(${quote(format)})`,
      )
      return `@font-face{font-family:${quote(fontFamily)};font-weight:${weight};font-display:swap;src:${src.join(',')}}`
    }),
  )
  const family = (each: (typeof chosen)[number], fallback: string) =>
    `${quote(typeof each === 'string' ? fonts[each].family : each.fontFamily)}, ${fallback}`
  const heading = headingFont ? `;--font-heading:${family(headingFont, system.body)}` : ''
  const served = [...new Set(chosen.filter(each => typeof each === 'string'))]
  return {
    sheets: served.map(name => `fonts/${name}.css`),
    files: [...new Set(served.map(name => fonts[name].latin))],
    css: `${faces.join('')}:root{--font-body:${family(font, system.body)};--font-mono:${family(monospaceFont, system.mono)}${heading}}`,
  }
}

/** The file of an organization's font at a path below the root of a site whose fonts these are; undefined for any other path. */
export function ownFontAt(styling: Fonts, path: string): { url: string; format: 'woff2' | 'woff' } | undefined {
  if (!path.startsWith(ownFontFolder)) return undefined
  const sources = ownFonts(styling).flatMap(({ fontFaces }) => fontFaces.flatMap(face => face.sources))
  const source = sources.find(({ url, format }) => ownFontPath(url, format) === path)
  return source && { url: source.url, format: source.format ?? 'woff2' }
}

/** The addresses of the files of an organization's fonts among those of a site. */
export function ownFontUrls(styling: Fonts): string[] {
  return ownFonts(styling).flatMap(({ fontFaces }) => fontFaces.flatMap(({ sources }) => sources.map(({ url }) => url)))
}

/** The fonts of an organization among those of a site, each once. */
function ownFonts({ font, headingFont, monospaceFont }: Fonts): OwnFont[] {
  const own = [font, headingFont ?? font, monospaceFont].filter(each => typeof each !== 'string')
  return [...new Map(own.map(each => [each.id, each])).values()]
}

/** The folder of fonts of organizations, below the root of a site. */
const ownFontFolder = '~recto/fonts/'

/** The path of a file: another one for each address that the API gives it, which stands for its bytes, so it is kept for ever. */
function ownFontPath(url: string, format = 'woff2'): string {
  return `${ownFontFolder}${createHash('sha256').update(url).digest('base64url').slice(0, 22)}.${format}`
}

/** A string of CSS (CSS Syntax 3, 4.3.5): nothing in it can end it, or the element it stands in. */
function quote(text: string): string {
  const escaped = text.replaceAll(/[^\w .,:;/@?&=%+~#-]/gu, letter => `\\${letter.codePointAt(0)?.toString(16)} `)
  return `"${escaped}"`
}
