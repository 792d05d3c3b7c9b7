import { z } from 'zod'
import { Emoji, HttpUrl, Id, text } from '@recto/contracts-shared'
import { Condition, localized, ThemedUrl } from './site.ts'

/** Bounds of the settings of a site. */
export const customizationLimits = {
  linkTitle: 64,
  title: 128,
  message: 128,
  copyright: 300,
  links: 50,
  groups: 20,
  fontFaces: 40,
  fontSources: 4,
  socialAccounts: 10,
  handle: 128,
  greeting: 256,
  localizedGreeting: 128,
  suggestions: 5,
  instructions: 10_000,
} as const
const limits = customizationLimits

/** A URL that readers of a site can follow: a browser runs `javascript:` and its like, and reads `//` and `/\` as the start of a host. */
const safeUrl = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s\p{Cc}\p{Cs}]*$/iu
const LinkUrl = text({ min: 1, max: 2048 }).refine(
  url => safeUrl.test(url),
  'must be an http, https, mailto or tel URL, or begin with / or #',
)

/** Where a link of a site leads. */
export const LinkTarget = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: LinkUrl }),
    z.object({ kind: z.literal('page'), page: Id, space: Id.optional() }),
    z.object({ kind: z.literal('anchor'), anchor: text({ max: 512 }), page: Id.optional(), space: Id.optional() }),
    z.object({ kind: z.literal('file'), file: Id }),
    z.object({ kind: z.literal('space'), space: Id }),
    z.object({ kind: z.literal('user'), user: Id }),
    z.object({ kind: z.literal('collection'), collection: Id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: Id, space: Id.optional() }),
    z.object({ kind: z.literal('tag'), tag: text({ max: limits.title }), space: Id.optional() }),
    z.object({ kind: z.literal('openapi'), spec: text({ max: limits.title }) }),
  ])
  .meta({
    id: 'CustomizationLinkTarget',
    description:
      'Where a link of a site leads; without `space`, into the default space, or that of the settings. Visitors see no link to a user, a collection, a reusable content, a tag or a specification',
  })

const Color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a color such as #2b59ff')
/** A color for each theme. */
export const ThemedColor = z
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
  .meta({
    id: 'FontDefinition',
    description:
      'A font of the organization. Its id counts: family and files are those of its record, whatever is sent',
  })

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
/** The font of texts: one that the reader serves, or one of the site. */
export const Font = z.union([z.enum(fontNames), FontDefinition])
/** The font of code. */
export const MonospaceFont = z.union([z.enum(monospaceFontNames), FontDefinition])

const ContentLink = z
  .object({
    title: text({ max: limits.linkTitle }),
    localizedTitle: localized(limits.linkTitle).optional(),
    to: LinkTarget,
  })
  .meta({ id: 'CustomizationContentLink', description: 'A link with its title' })
const Links = z.array(ContentLink).max(limits.links)

/** A link or a menu in the header. */
export const HeaderItem = z
  .object({
    title: text({ max: limits.title }),
    localizedTitle: localized(limits.title).optional(),
    style: z.enum(['link', 'button-primary', 'button-secondary']).optional(),
    to: LinkTarget.nullable(),
    links: Links,
    condition: Condition.optional(),
  })
  .meta({ id: 'CustomizationHeaderItem', description: 'A link or a menu in the header' })

/** A group of links in the footer. */
export const FooterGroup = z
  .object({ title: text({ max: limits.title }), localizedTitle: localized(limits.title).optional(), links: Links })
  .meta({ id: 'CustomizationFooterGroup', description: 'A group of links in the footer' })

/** The icon of a site. */
export const Favicon = z
  .union([z.object({ icon: ThemedUrl }), z.object({ emoji: Emoji }), z.strictObject({})])
  .meta({ id: 'CustomizationFavicon', description: 'The icon of a site: an image, an emoji, or none of its own' })

/** A message above every page. */
export const Announcement = z
  .object({
    enabled: z.boolean(),
    message: text({ min: 2, max: limits.message }),
    localizedMessage: localized(limits.message).optional(),
    link: ContentLink.optional(),
    style: z.enum(['info', 'warning', 'danger', 'success']),
  })
  .meta({ id: 'CustomizationAnnouncement', description: 'A message above every page' })

// prettier-ignore
const codeThemes = [
  'default-light', 'default-dark', 'monochrome-light', 'monochrome-dark', 'andromeeda', 'aurora-x', 'ayu-dark',
  'catppuccin-frappe', 'catppuccin-latte', 'catppuccin-macchiato', 'catppuccin-mocha', 'dark-plus', 'dracula',
  'dracula-soft', 'everforest-dark', 'everforest-light', 'github-dark', 'github-dark-default', 'github-dark-dimmed',
  'github-dark-high-contrast', 'github-light', 'github-light-default', 'github-light-high-contrast',
  'gruvbox-dark-hard', 'gruvbox-dark-medium', 'gruvbox-dark-soft', 'gruvbox-light-hard', 'gruvbox-light-medium',
  'gruvbox-light-soft', 'houston', 'kanagawa-dragon', 'kanagawa-lotus', 'kanagawa-wave', 'laserwave', 'light-plus',
  'material-theme', 'material-theme-darker', 'material-theme-lighter', 'material-theme-ocean',
  'material-theme-palenight', 'min-dark', 'min-light', 'monokai', 'night-owl', 'nord', 'one-dark-pro', 'one-light',
  'plastic', 'poimandres', 'red', 'rose-pine', 'rose-pine-dawn', 'rose-pine-moon', 'slack-dark', 'slack-ochin',
  'snazzy-light', 'solarized-dark', 'solarized-light', 'synthwave-84', 'tokyo-night', 'vesper', 'vitesse-black',
  'vitesse-dark', 'vitesse-light',
] as const

/** The colors of code in each theme of a site. */
export const ThemedCodeTheme = z
  .object({ light: z.enum(codeThemes), dark: z.enum(codeThemes) })
  .meta({ id: 'ThemedCodeTheme', description: 'The colors of code in each theme' })

/** The colors of code that a site has which chose none. */
export const defaultCodeTheme = {
  default: { light: 'default-light', dark: 'default-dark' },
  openapi: { light: 'default-light', dark: 'default-dark' },
} as const

/** Actions that a page offers. */
export const pageActionTypes = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const

/** The actions of pages, in their order; the first one is offered first, and an empty list offers none. */
export const PageActionItems = z
  .array(z.enum(pageActionTypes))
  .max(pageActionTypes.length)
  .refine(items => new Set(items).size === items.length, 'must have each action once')

// prettier-ignore
const platforms = [
  'twitter', 'instagram', 'facebook', 'linkedin', 'github', 'discord', 'slack', 'youtube', 'tiktok', 'reddit',
  'bluesky', 'mastodon', 'threads', 'medium',
] as const

/** The accounts of a site on social platforms. */
export const SocialAccounts = z
  .array(
    z.object({
      platform: z.enum(platforms),
      handle: text({ min: 1, max: limits.handle }).describe('Without @'),
      display: z
        .object({ footer: z.boolean().default(true), header: z.boolean().default(false) })
        .describe('Where its link shows'),
    }),
  )
  .max(limits.socialAccounts)
  .meta({ id: 'SiteSocialAccounts', description: 'Accounts of a site on social platforms' })

/** How a site answers questions: kept, since Recto has no AI. */
export const AISettings = z.object({
  mode: z.enum(['none', 'search', 'assistant']),
  greeting: text({ max: limits.greeting }).optional(),
  localizedGreeting: localized(limits.localizedGreeting).optional(),
  suggestions: z
    .array(text({ min: 3, max: 64 }))
    .max(limits.suggestions)
    .optional(),
  instructions: text({ max: limits.instructions }).optional().describe('Only for those who manage the site'),
})
