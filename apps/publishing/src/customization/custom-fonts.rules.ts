import type { Customization } from './customization.rules.ts'

type Styling = Customization['styling']
type Fonts = Pick<Styling, 'font' | 'monospaceFont'> & { headingFont?: Styling['headingFont'] }

/** A font as it is now. */
export type CurrentFont = Pick<Extract<Styling['font'], object>, 'id' | 'fontFamily' | 'fontFaces'>

/** The ids of fonts in settings that say that they are an organization's own. */
export function customFontIds({ font, headingFont, monospaceFont }: Fonts): string[] {
  const ids = [font, headingFont, monospaceFont].flatMap(each =>
    typeof each === 'object' && each !== null && each.custom ? [each.id] : [],
  )
  return [...new Set(ids)]
}

/** Settings with fonts as they are now; one that is not among these stays as it was sent. */
export function withFonts<Settings extends Fonts>(styling: Settings, fonts: readonly CurrentFont[]): Settings {
  const current = <Font extends Fonts[keyof Fonts]>(font: Font): Font => {
    if (typeof font !== 'object' || font === null || !font.custom) return font
    const { fontFamily, fontFaces } = fonts.find(({ id }) => id === font.id) ?? font
    return { ...font, fontFamily, fontFaces }
  }
  const { headingFont } = styling
  return {
    ...styling,
    font: current(styling.font),
    monospaceFont: current(styling.monospaceFont),
    ...(headingFont !== undefined && { headingFont: current(headingFont) }),
  }
}
