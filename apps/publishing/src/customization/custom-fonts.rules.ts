import { defaultCustomization } from '@recto/contracts-publishing'
import type { Customization } from './customization.rules.ts'

type Styling = Customization['styling']
type Fonts = Pick<Styling, 'font' | 'monospaceFont'> & { headingFont?: Styling['headingFont'] }

/** A font of an organization, as its record is now. */
export type CurrentFont = Pick<Extract<Styling['font'], object>, 'id' | 'fontFamily' | 'fontFaces'>

/** A font that settings name by its id, and the field that does so. */
export interface NamedFont {
  field: string
  id: string
}

const fields = ['font', 'headingFont', 'monospaceFont'] as const

/** The fonts in settings that are no fonts of every reader: each has to be one of the organization. */
export function customFonts(styling: Fonts): NamedFont[] {
  return fields.flatMap(name => {
    const font = styling[name]
    return typeof font === 'object' && font !== null ? [{ field: `body.styling.${name}.id`, id: font.id }] : []
  })
}

/** Settings whose custom fonts have the family and the files of the organization's records; the default stands for one that is gone. */
export function withFonts<Settings extends Fonts>(
  { headingFont, ...styling }: Settings,
  fonts: readonly CurrentFont[],
): Settings {
  const current = <Font extends Fonts[keyof Fonts]>(font: Font, standIn: Font) => {
    if (typeof font !== 'object' || font === null) return font
    const record = fonts.find(({ id }) => id === font.id)
    return record
      ? { id: record.id, custom: true, fontFamily: record.fontFamily, fontFaces: record.fontFaces }
      : standIn
  }
  const { font, monospaceFont } = defaultCustomization.styling
  return {
    ...styling,
    font: current(styling.font, font),
    monospaceFont: current(styling.monospaceFont, monospaceFont),
    ...(headingFont !== undefined && { headingFont: current(headingFont, null) }),
  } as Settings
}
