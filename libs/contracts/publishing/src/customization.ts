import { z } from 'zod'
import { empty, flag, HttpUrl, text, Timestamp, unsupported, endpoints, onResource } from '@recto/contracts-shared'
import {
  AISettings,
  Announcement,
  customizationLimits as limits,
  defaultCodeTheme,
  Favicon,
  Font,
  FooterGroup,
  HeaderItem,
  LinkTarget,
  MonospaceFont,
  PageActionItems,
  SocialAccounts,
  ThemedCodeTheme,
  ThemedColor,
} from './customization-parts.ts'
import { LocalizedTitle, SiteTitle, ThemedUrl } from './site.ts'
import { customizationExample, linkingExamples } from './customization-examples.ts'

const enabled = { enabled: z.boolean() }
const sidebar = { background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) }
const fonts = {
  font: Font,
  headingFont: Font.nullable().optional().describe('null: as `font`'),
  monospaceFont: MonospaceFont,
}
const styling = {
  theme: z.enum(['clean', 'muted', 'bold', 'gradient']),
  primaryColor: ThemedColor,
  infoColor: ThemedColor,
  successColor: ThemedColor,
  warningColor: ThemedColor,
  dangerColor: ThemedColor,
  corners: z.enum(['straight', 'rounded', 'circular']),
  depth: z.enum(['subtle', 'flat']),
  links: z.enum(['default', 'accent']),
  background: z.enum(['plain', 'match']),
  icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
  search: z.enum(['prominent', 'subtle']),
}
const tint = { tint: z.object({ color: ThemedColor }) }
const preset = { preset: z.enum(['default', 'bold', 'contrast', 'custom', 'none']) }
const headerLinks = { links: z.array(HeaderItem).max(limits.links) }
const codeTheme = { default: ThemedCodeTheme, openapi: ThemedCodeTheme }
const headerLook = { logo: ThemedUrl, primaryLink: LinkTarget, backgroundColor: ThemedColor, linkColor: ThemedColor }
const footerGroups = { groups: z.array(FooterGroup).max(limits.groups) }
const footerLook = { logo: ThemedUrl, copyright: text({ max: limits.copyright }) }
const locale = { locale: z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']) }
const themes = { default: z.enum(['light', 'dark', 'system']), toggeable: z.boolean() }
const showEditLink = { showEditLink: z.boolean() }
const target = { target: z.enum(['self', 'blank']) }
const url = { url: HttpUrl }

const look = {
  title: SiteTitle.optional().describe('Shown instead of the title of the site'),
  localizedTitle: LocalizedTitle.optional(),
  internationalization: z.object(locale),
  favicon: Favicon,
  header: z.object({ ...preset, ...z.object(headerLook).partial().shape, ...headerLinks }),
  footer: z.object({ ...z.object(footerLook).partial().shape, ...footerGroups }),
  announcement: Announcement.optional(),
  themes: z.object(themes),
  feedback: z.object(enabled),
  ai: AISettings,
  advancedCustomization: z.object(enabled),
  externalLinks: z.object(target),
  pagination: z.object(enabled),
  trademark: z.object(enabled),
  privacyPolicy: z.object(url).partial(),
  socialPreview: z.object(url).partial(),
  insights: z.object({ trackingCookie: z.boolean().default(true) }),
}
const wholeStyling = { ...styling, ...fonts, ...z.object(tint).partial().shape, sidebar: z.object(sidebar) }
const actions = { externalAI: z.boolean(), markdown: z.boolean(), mcp: z.boolean() }

/** How a site, or a space on it, looks to its readers. */
export const SiteCustomizationSettings = z
  .object({
    ...look,
    styling: z.object({ ...wholeStyling, codeTheme: z.object(codeTheme) }),
    pdf: z.object(enabled),
    git: z.object(showEditLink),
    pageActions: z.object({ ...actions, items: PageActionItems }),
    socialAccounts: SocialAccounts,
    updatedAt: Timestamp.optional().describe('Left out while nobody has changed anything'),
  })
  .meta({ id: 'SiteCustomizationSettings', description: 'How a site looks to its readers' })

/** How a site is to look: clients from before list no actions of pages, those of today have no switches for them. */
export const SiteCustomizationInput = z
  .object({
    ...look,
    styling: z.object({ ...wholeStyling, codeTheme: z.object(codeTheme).default(defaultCodeTheme) }),
    pdf: z.object(enabled).optional(),
    git: z.object(showEditLink).optional(),
    pageActions: z
      .object({ ...z.object(actions).partial().shape, items: PageActionItems.optional() })
      .describe('Where `items` changes, it says which actions there are; else the switches do, `pdf` and `git` too'),
    socialAccounts: SocialAccounts.default([]),
  })
  .meta({ id: 'SiteCustomizationSettingsInput', description: 'How a site is to look' })

type Overrides<Shape extends z.core.$ZodLooseShape> = {
  [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>
}

/** The same fields, each of which may be left out, or be null. */
function overrides<Shape extends Record<string, z.ZodType>>(shape: Shape): Overrides<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()])
  return Object.fromEntries(entries) as Overrides<Shape>
}

/** Fields of an object, each of which may be left out, or be null; null for the object inherits all of it. */
const overridable = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  z.object(overrides(shape)).nullable().optional()

const ofSite = unsupported('must be left out: it is the same on the whole site')

/** The customization of one space on a site, where it differs from that of the site. */
export const SiteSpaceCustomization = z
  .object({
    ...overrides({ title: SiteTitle, localizedTitle: LocalizedTitle, favicon: Favicon, announcement: Announcement }),
    styling: z
      .object({
        ...overrides({ ...styling, ...tint }),
        sidebar: overridable(sidebar),
        codeTheme: overridable(codeTheme),
        font: ofSite,
        headingFont: ofSite,
        monospaceFont: ofSite,
      })
      .nullable()
      .optional(),
    internationalization: overridable(locale),
    header: overridable({ ...preset, ...headerLook, ...headerLinks }),
    footer: overridable({ ...footerLook, ...footerGroups }),
    themes: overridable(themes),
    pdf: overridable(enabled),
    feedback: overridable(enabled),
    git: overridable(showEditLink),
    externalLinks: overridable(target),
    pagination: overridable(enabled),
    trademark: overridable(enabled),
    privacyPolicy: overridable(url),
    socialPreview: overridable(url),
    ai: ofSite,
    advancedCustomization: ofSite,
    pageActions: ofSite,
    insights: ofSite,
    socialAccounts: ofSite,
  })
  .meta({
    id: 'SiteSpaceCustomization',
    description: 'What a space on a site shows otherwise than the site; null inherits, what is left out stays',
  })

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const spacePath = `${sitePath}/site-spaces/{siteSpaceId}/customization` as const
const masked = z.object({
  unmasked: flag(false).describe('Changes nothing: no plan hides settings. Both are the settings in effect'),
})

/** How sites look. */
export const customizations = endpoints({
  getSiteCustomizationById: {
    route: `GET ${sitePath}/customization`,
    summary: 'Get how a site looks',
    description:
      'Complete, with defaults for all that was not set. Instructions for AI are there for those only who may change the site.',
    query: masked,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  updateSiteCustomizationById: {
    route: `PUT ${sitePath}/customization`,
    summary: 'Replace how a site looks',
    description:
      'All settings are replaced; only titles in other languages stay where the body has none. A link to a page, file or space that the site does not show, or that you cannot see, is 404 with its field; one that was there before is not checked again.',
    body: SiteCustomizationInput,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    records: ['site.customization.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: linkingExamples.map(links => ({ body: { ...customizationExample, ...links } })),
  },
  getSiteSpaceCustomizationById: {
    route: `GET ${spacePath}`,
    summary: 'Get how a space on a site looks: what it overrides, and the rest as on the site',
    description:
      'Complete, as visitors see the space. Instructions for AI are there for those only who may change the site.',
    query: masked,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  overrideSiteSpaceCustomizationById: {
    route: `PATCH ${spacePath}`,
    summary: 'Override how a space on a site looks; null inherits from the site again',
    description:
      'Fields that are left out stay. What is the same on the whole site, such as fonts, is refused (400). Lists, colors, images and the announcement are overridden as a whole.',
    body: SiteSpaceCustomization,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    records: ['site.customization.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: linkingExamples.map(body => ({ body })),
  },
  deleteSiteSpaceCustomizationById: {
    route: `DELETE ${spacePath}`,
    summary: 'Let a space look as its site again',
    description: 'Without overrides nothing happens.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.customization.updated'],
    scope: 'site:write',
    access: onResource('create'),
  },
})
