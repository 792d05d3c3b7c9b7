import { fieldFaults } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { type CurrentFont, customFonts, withFonts } from './custom-fonts.rules.ts'
import type { Customization } from './customization.rules.ts'
import type { SiteCustomizations } from './customizations.repository.ts'

type Asking = Pick<BaseContext, 'content'>

/** The settings of a site with the fonts of its organization as they are now: their files may be others since, and so their addresses. Costs no call where a site has none. */
export async function withCurrentFonts(
  { content }: Asking,
  organization: string,
  customizations: SiteCustomizations,
): Promise<SiteCustomizations> {
  const { settings } = customizations
  if (!settings) return customizations
  const fonts = await recordsOf({ content }, organization, settings)
  return { ...customizations, settings: { ...settings, styling: withFonts(settings.styling, fonts) } }
}

/** Settings as they are stored: what a client sent of a font is its id. Throws `not_found`, naming the fields, for fonts that the organization does not have. */
export async function withOwnFonts<Settings extends Pick<Customization, 'styling'>>(
  { content }: Asking,
  organization: string,
  settings: Settings,
): Promise<Settings> {
  const fonts = await recordsOf({ content }, organization, settings)
  const strays = customFonts(settings.styling).filter(({ id }) => !fonts.some(font => font.id === id))
  if (strays.length > 0) {
    const message = 'the organization has no such font'
    throw fieldFaults(
      strays.map(({ field: path }) => ({ path, message })),
      'not_found',
    )
  }
  return { ...settings, styling: withFonts(settings.styling, fonts) }
}

async function recordsOf(
  { content }: Asking,
  organization: string,
  { styling }: Pick<Customization, 'styling'>,
): Promise<CurrentFont[]> {
  const ids = new Set(customFonts(styling).map(({ id }) => id))
  if (ids.size === 0) return []
  return (await content.describeFonts({ body: { organization, fonts: [...ids] } })).fonts
}
