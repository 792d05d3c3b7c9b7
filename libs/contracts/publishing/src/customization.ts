import { z } from 'zod'
import { Emoji, empty, flag, HttpUrl, Id, text, unsupported, endpoints, onResource } from '@recto/contracts-shared'
import { Condition, SiteTitle, ThemedUrl } from './site.ts'
import { customizationExample, linkingExamples } from './customization-examples.ts'

const limits = {
  linkTitle: 64,
  title: 128,
  message: 128,
  copyright: 300,
  links: 50,
  groups: 20,
  fontFaces: 40,
  fontSources: 4,
} as const

/** A URL that readers of a site can follow: a browser runs `javascript:` and its like, and reads `//` and `/\` as the start of a host. */
const safeUrl = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s\p{Cc}\p{Cs}]*$/iu
const LinkUrl = text({ min: 1, max: 2048 }).refine(
  url => safeUrl.test(url),
  'must be an http, https, mailto or tel URL, or begin with / or #',
)

const LinkTarget = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: LinkUrl }),
    z.object({ kind: z.literal('page'), page: Id, space: Id.optional() }),
    z.object({ kind: z.literal('anchor'), anchor: text({ max: 512 }), page: Id.optional(), space: Id.optional() }),
    z.object({ kind: z.literal('file'), file: Id }),
    z.object({ kind: z.literal('space'), space: Id }),
  ])
  .meta({
    id: 'CustomizationLinkTarget',
    description: 'Where a link of a site leads; without `space`, into the default space, or that of the settings',
  })

const Color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a color such as #2b59ff')
const ThemedColor = z
  .object({ light: Color, dark: Color })
  .meta({ id: 'ThemedColor', description: 'A color for each theme' })

const FontDefinition = z
  .object({
    id: text({ min: 1, max: 100 }),
    custom: z.boolean(),
    fontFamily: text({ min: 1, max: 50 }),
    fontFaces: z
      .array(
        z.object({
          weight: z.number().int().min(1).max(1000),
          sources: z
            .array(z.object({ url: HttpUrl, format: z.enum(['woff2', 'woff']).optional() }))
            .min(1)
            .max(limits.fontSources),
        }),
      )
      .min(1)
      .max(limits.fontFaces),
  })
  .meta({ id: 'FontDefinition', description: 'A font with where its files are' })

const fontNames = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const
const monospaceFontNames = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const
const Font = z.union([z.enum(fontNames), FontDefinition])
const MonospaceFont = z.union([z.enum(monospaceFontNames), FontDefinition])

const ContentLink = z
  .object({ title: text({ max: limits.linkTitle }), to: LinkTarget })
  .meta({ id: 'CustomizationContentLink', description: 'A link with its title' })
const Links = z.array(ContentLink).max(limits.links)

const HeaderItem = z
  .object({
    title: text({ max: limits.title }),
    style: z.enum(['link', 'button-primary', 'button-secondary']).optional(),
    to: LinkTarget.nullable(),
    links: Links,
    condition: Condition.optional(),
  })
  .meta({ id: 'CustomizationHeaderItem', description: 'A link or a menu in the header' })

const FooterGroup = z
  .object({ title: text({ max: limits.title }), links: Links })
  .meta({ id: 'CustomizationFooterGroup', description: 'A group of links in the footer' })

const Favicon = z
  .union([z.object({ icon: ThemedUrl }), z.object({ emoji: Emoji }), z.strictObject({})])
  .meta({ id: 'CustomizationFavicon', description: 'The icon of a site: an image, an emoji, or none of its own' })

const Announcement = z
  .object({
    enabled: z.boolean(),
    message: text({ min: 2, max: limits.message }),
    link: ContentLink.optional(),
    style: z.enum(['info', 'warning', 'danger', 'success']),
  })
  .meta({ id: 'CustomizationAnnouncement', description: 'A message above every page' })

const enabled = { enabled: z.boolean() }
const sidebar = { background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) }
const fonts = { font: Font, monospaceFont: MonospaceFont }
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
const headerLook = { logo: ThemedUrl, backgroundColor: ThemedColor, linkColor: ThemedColor }
const footerGroups = { groups: z.array(FooterGroup).max(limits.groups) }
const footerLook = { logo: ThemedUrl, copyright: text({ max: limits.copyright }) }
const locale = { locale: z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']) }
const themes = { default: z.enum(['light', 'dark']), toggeable: z.boolean() }
const showEditLink = { showEditLink: z.boolean() }
const target = { target: z.enum(['self', 'blank']) }
const url = { url: HttpUrl }

/** How a site, or a space on it, looks to its readers. */
export const SiteCustomizationSettings = z
  .object({
    title: SiteTitle.optional().describe('Shown instead of the title of the site'),
    styling: z.object({ ...styling, ...fonts, ...z.object(tint).partial().shape, sidebar: z.object(sidebar) }),
    internationalization: z.object(locale),
    favicon: Favicon,
    header: z.object({ ...preset, ...z.object(headerLook).partial().shape, ...headerLinks }),
    footer: z.object({ ...z.object(footerLook).partial().shape, ...footerGroups }),
    announcement: Announcement.optional(),
    themes: z.object(themes),
    pdf: z.object(enabled),
    feedback: z.object(enabled),
    ai: z.object({ mode: z.enum(['none', 'search', 'assistant']) }),
    advancedCustomization: z.object(enabled),
    git: z.object(showEditLink),
    pageActions: z.object({ externalAI: z.boolean(), markdown: z.boolean(), mcp: z.boolean() }),
    externalLinks: z.object(target),
    pagination: z.object(enabled),
    trademark: z.object(enabled),
    privacyPolicy: z.object(url).partial(),
    socialPreview: z.object(url).partial(),
    insights: z.object({ trackingCookie: z.boolean().default(true) }),
  })
  .meta({ id: 'SiteCustomizationSettings', description: 'How a site looks to its readers' })

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
    ...overrides({ title: SiteTitle, favicon: Favicon, announcement: Announcement }),
    styling: z
      .object({
        ...overrides({ ...styling, ...tint }),
        sidebar: overridable(sidebar),
        font: ofSite,
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
    query: masked,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    access: onResource('read'),
  },
  updateSiteCustomizationById: {
    route: `PUT ${sitePath}/customization`,
    summary: 'Replace how a site looks',
    body: SiteCustomizationSettings,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    access: onResource('create'),
    examples: linkingExamples.map(links => ({ body: { ...customizationExample, ...links } })),
  },
  getSiteSpaceCustomizationById: {
    route: `GET ${spacePath}`,
    summary: 'Get how a space on a site looks: what it overrides, and the rest as on the site',
    query: masked,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    access: onResource('read'),
  },
  overrideSiteSpaceCustomizationById: {
    route: `PATCH ${spacePath}`,
    summary: 'Override how a space on a site looks; null inherits from the site again',
    body: SiteSpaceCustomization,
    reply: SiteCustomizationSettings,
    errors: ['not_found'],
    access: onResource('create'),
    examples: linkingExamples.map(body => ({ body })),
  },
  deleteSiteSpaceCustomizationById: {
    route: `DELETE ${spacePath}`,
    summary: 'Let a space look as its site again',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
})
