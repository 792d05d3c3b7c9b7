import { z } from 'zod'
import {
  ConditionSource,
  contentLimits,
  DefaultLevel,
  HttpUrl,
  Id,
  Language,
  permissionsOf,
  siteRights,
  SiteVisibility,
  Space,
  text,
  Timestamp,
  Url,
} from '@recto/contracts-shared'

/** Lengths of the texts of a site, in code points, and how many spaces it shows: the token of a visitor names them all. */
export const siteLimits = {
  spaces: 250,
  minTitle: 2,
  maxTitle: 128,
  maxPath: 100,
  maxDescription: 256,
  maxGroupTitle: 100,
} as const

/** Names of the plans of the compatible API. All of them can do the same. */
export const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const

const features = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-fonts',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-preview-deployments',
  'sites-public-visibility',
  'sites-redirects',
  'sites-search-insights',
  'sites-sections',
  'sites-seo',
  'sites-share-links',
  'sites-unlisted-visibility',
  'sites-visitor-authentication',
  'sites-visitors',
] as const

const customizationFeatures = [
  'header-logo',
  'theme-preset',
  'premium-fonts',
  'custom-icons',
  'footer-logo',
  'footer-links',
  'footer-copyright',
  'semantic-colors',
] as const

/** The features of every site: the type of a site limits nothing. */
export const siteFeatures = { ids: features, customizations: customizationFeatures } as const

/** A URL for each of the themes. */
export const ThemedUrl = z
  .object({ light: HttpUrl, dark: HttpUrl })
  .meta({ id: 'ThemedUrl', description: 'A URL for each theme' })

/** The type of a site. */
export const SiteType = z.enum(siteTypes)

/** Whether AI agents may access a site. */
export const AgentsContext = z
  .enum(['excluded', 'included'])
  .describe('Of `excluded` sites, visitors get no Markdown and nothing that offers them to AI agents')

/** A docs site. */
export const Site = z
  .object({
    object: z.literal('site'),
    id: Id,
    type: SiteType,
    appliedType: SiteType.describe('The same: every type can do the same'),
    title: z.string(),
    icon: z.union([z.object({ icon: ThemedUrl }), z.object({ emoji: z.string() })]).optional(),
    hostname: z.string().optional().describe('Hostname of its own, or one that it claims'),
    hostnameState: z
      .enum(['pending', 'active'])
      .optional()
      .describe('`pending`: the hostname is not proven, and the site not shown there'),
    basename: z.string().optional().describe('Its part of the hostname that the installation gives it'),
    proxy: z
      .object({
        origin: z.string().describe('Host and path below which another server shows the site'),
        target: z.string().describe('Host of the site'),
      })
      .optional(),
    visibility: SiteVisibility,
    defaultLevel: DefaultLevel.describe(
      'The role of members without a grant on it; `inherit`: that in the organization',
    ),
    permissions: permissionsOf(siteRights).meta({
      id: 'SitePermissions',
      description: 'What the caller may do with the site',
    }),
    published: z.boolean(),
    siteSpaces: z.number().int(),
    createdAt: Timestamp,
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    agentsContext: AgentsContext,
    features: z.array(
      z.object({
        id: z.enum(features),
        plan: SiteType,
        frozen: z.boolean(),
        customizations: z.array(z.enum(customizationFeatures)).optional(),
      }),
    ),
    urls: z.object({
      location: Url,
      app: Url,
      published: Url.optional().describe('Where the site is published'),
      preview: Url.describe('Where the site is previewed, with a token from `publishing/preview`'),
      login: Url.optional().describe('Where its visitors log in'),
      logout: Url.optional().describe('Where its visitors go after they signed out'),
    }),
  })
  .meta({ id: 'Site', description: 'A docs site' })

const published = z.object({ published: Url.optional().describe('Where it is published') })

/** Languages of texts of sites. */
export const TextLanguage = z.enum([...Language.options, 'zh-tw'])

/** A text in other languages than that of the site: by language, at most this many characters each. */
export const localized = (max: number) =>
  z
    .partialRecord(TextLanguage, text({ max }))
    .describe('By language: shown in spaces of this language instead of the text itself')

/** Titles of parts of a site in other languages. */
export const LocalizedTitle = localized(siteLimits.maxTitle)
/** Descriptions of parts of a site in other languages. */
export const LocalizedDescription = localized(siteLimits.maxDescription)

const Draft = z.boolean().describe('Whether visitors do not see it yet; previews show it')

/** A space on a site: the only variant of its section, or one of several. */
export const SiteSpace = z
  .object({
    object: z.literal('site-space'),
    id: Id,
    path: z.string(),
    section: Id.optional(),
    space: Space,
    title: z.string(),
    localizedTitle: LocalizedTitle.optional(),
    default: z.boolean().optional(),
    draft: Draft,
    hidden: z.boolean().optional().describe('Whether the navigation of the site leaves it out'),
    condition: z.string().optional(),
    pageId: z.string().optional().describe('Page at the root of the space on this site, instead of its first one'),
    hasAdvancedCustomizationFeature: z.boolean().optional(),
    urls: published,
  })
  .meta({ id: 'SiteSpace', description: 'A space on a site' })

/** A section of a site: one or more variants of a subject. */
export const SiteSection = z
  .object({
    object: z.literal('site-section'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedTitle.optional(),
    description: z.string().optional(),
    localizedDescription: LocalizedDescription.optional(),
    default: z.boolean().optional(),
    draft: Draft,
    path: z.string(),
    condition: z.string().optional(),
    sectionGroup: Id.optional(),
    siteSpaces: z.array(SiteSpace),
    urls: published,
    icon: z.string().optional(),
  })
  .meta({ id: 'SiteSection', description: 'A section of a site' })

/** A link in the navigation of a site, beside its sections. */
export const SiteExternalLink = z
  .object({
    object: z.literal('site-external-link'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedTitle.optional(),
    description: z.string().optional(),
    localizedDescription: LocalizedDescription.optional(),
    icon: z.string().optional(),
    url: Url,
    sectionGroup: Id.optional(),
    draft: Draft,
    condition: z.string().optional(),
  })
  .meta({ id: 'SiteExternalLink', description: 'A link in the navigation of a site' })

/** A group of sections; groups can be nested. */
export const SiteSectionGroup = z
  .object({
    object: z.literal('site-section-group'),
    id: Id,
    title: z.string(),
    localizedTitle: LocalizedTitle.optional(),
    draft: Draft,
    icon: z.string().optional(),
    sectionGroup: Id.optional(),
    sections: z.array(SiteSection).describe('The sections directly in it'),
    get children() {
      return z.array(z.union([SiteSection, SiteSectionGroup, SiteExternalLink]))
    },
  })
  .meta({ id: 'SiteSectionGroup', description: 'A group of sections of a site' })

/** Everything that a site shows, in its order. */
export const SiteStructure = z
  .union([
    z.object({
      type: z.literal('sections'),
      structure: z.array(z.union([SiteSection, SiteSectionGroup, SiteExternalLink])),
    }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: 'SiteStructure', description: 'What a site shows, in its order' })

/** A part of a URL: lower-case letters, digits and `-._`. */
export const SitePath = text({ min: 1, max: siteLimits.maxPath })
  .refine(path => /^[\p{Ll}\p{Lo}\p{N}\p{M}._-]*$/u.test(path), 'must have only lower-case letters, digits and -._')
  .refine(path => !/^\.{1,2}$/.test(path), 'must not be . or ..')

/** The title of a site or section. */
export const SiteTitle = text({ min: siteLimits.minTitle, max: siteLimits.maxTitle })

/** A condition over the claims of a visitor. */
export const Condition = ConditionSource.describe(
  'Expression over `visitor.claims`: shown only to visitors for whom it holds',
)

/** The name of an icon; null removes it. */
export const OptionalIcon = text({ min: 1, max: contentLimits.icon }).nullable().optional()
