import type { BaseContext } from '../shared/context.ts'
import type { Customization } from './customization.rules.ts'
import type { SiteCustomizations } from './customizations.repository.ts'
import { customFontIds, withFonts } from './custom-fonts.rules.ts'

/** The settings of a site with the fonts of its organization as they are now: their files may be others since, and so their addresses. Costs no call where a site has none. */
export async function withCurrentFonts(
  { content }: Pick<BaseContext, 'content'>,
  organization: string,
  customizations: SiteCustomizations,
): Promise<SiteCustomizations> {
  const { settings } = customizations
  return { ...customizations, settings: settings && (await currentFonts({ content }, organization, settings)) }
}

async function currentFonts(
  { content }: Pick<BaseContext, 'content'>,
  organization: string,
  settings: Customization,
): Promise<Customization> {
  const ids = customFontIds(settings.styling)
  if (ids.length === 0) return settings
  const { fonts } = await content.describeFonts({ body: { organization, fonts: ids } })
  return { ...settings, styling: withFonts(settings.styling, fonts) }
}
