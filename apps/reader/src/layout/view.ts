import type { Customization, PublishedSite } from '../api/types.ts'
import type { ByLanguage, Locale, Translate } from '../i18n/index.ts'
import { excludesAgents, isPublished, type OpenedSite } from '../loaders/open-site.ts'
import type { HeadLinks } from '../loaders/meta-links.rules.ts'
import type { BodyPlace, ReadBody } from '../loaders/read-body.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'

/** The view that every page of a site is laid out with. */
export interface FrameView {
  site: OpenedSite
  customization: Customization
  /** Title of the site. */
  title: string
  locale: Locale
  /** Language of the content: a BCP 47 tag. */
  language: string
  t: Translate
  /** A text of the site in the language of the content, if the site has it. */
  localized(text: string, byLanguage?: ByLanguage): string
  assets: AssetUrls
  nonce: string
}

/** Addresses of what the reader's own pages load. */
export interface AssetUrls {
  style: string
  /** Of pages that show formulas. */
  mathStyle: string
  script: string
  /** The URL of a file below the assets, such as a font. */
  of(name: string): string
}

/** A page with its body, in the frame of its site. */
export interface PageView extends FrameView {
  treePage: TreePage
  body: ReadBody
  metaLinks: HeadLinks
}

/** The settings of a site that its bodies depend on. */
export function bodyPlace({ site, locale, customization }: FrameView): BodyPlace {
  const { externalLinks, pageActions } = customization
  return { site, locale, newTab: externalLinks.target === 'blank', externalAI: pageActions.externalAI }
}

/** The settings of a site that say whether it answers questions. */
type Answering = Pick<FrameView, 'customization'> & { site: Pick<OpenedSite, 'published' | 'isPreview' | 'lookup'> }

/**
 * Whether a site shows where to ask questions: it says so for all of it, as the API asks, and for the space that is read. Questions are
 * answered from what is published, so previews show nothing.
 */
export function answersQuestions({ customization, site }: Answering): boolean {
  const modes = [customization.ai.mode, site.published.customizations.site.ai.mode]
  return isPublished(site) && !excludesAgents(site) && !modes.includes('none')
}

/** How the space that is shown looks: as the site, unless it has settings of its own. */
export function customizationOf({ customizations }: PublishedSite, { siteSpace }: OpenedSite): Customization {
  return customizations.siteSpaces[siteSpace.id] ?? customizations.site
}
