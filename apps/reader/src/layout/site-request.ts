import type { ApiClient } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import { localeOf, localizedText, translator } from '../i18n/index.ts'
import { excludesAgents, isPublished, type OpenedSite } from '../loaders/open-site.ts'
import type { Bodies } from '../loaders/read-body.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { customizationOf, type AssetUrls, type FrameView } from './view.ts'

/** A request for something of a site that a visitor opened. */
export interface SiteRequest {
  site: OpenedSite
  query: URLSearchParams
  /** The query as it was sent, with its `?`; empty without one. */
  search: string
  method: 'GET' | 'POST'
  /** The body of a POST. */
  body: string
  headers: Readonly<Record<string, string | undefined>>
  /** Whether Markdown is accepted rather than HTML. */
  prefersMarkdown: boolean
  visitorAddress: string | undefined
  /** Aborts when the visitor has gone. */
  signal: AbortSignal | undefined
  /** Whether the reader sends the request again, with another token. */
  isRepeated: boolean
  /** The origin that the visitor's browser shows. */
  origin: string
  view: FrameView
}

/** The tools of features. */
export interface SiteTools {
  reads: Reads
  bodies: Bodies
  api: ApiClient
}

/** A feature answers requests of paths that are its own; undefined for any other. */
export type SiteFeature = (request: SiteRequest, tools: SiteTools) => Promise<PageResponse | undefined> | undefined

/** Creates the view that all pages of an opened site are laid out with. */
export function frameView(site: OpenedSite, { assets, nonce }: { assets: AssetUrls; nonce: string }): FrameView {
  const { published, space } = site
  const customization = customizationOf(published, site)
  const locale = localeOf(space.language, customization.internationalization.locale)
  const language = space.language ?? customization.internationalization.locale
  return {
    site,
    customization,
    locale,
    language,
    assets,
    nonce,
    title: localizedText(customization.title ?? published.site.title, customization.localizedTitle, language),
    t: translator(locale),
    localized: (text, byLanguage) => localizedText(text, byLanguage, language),
  }
}

/** Whether everybody may read a site as it is published: neither a preview, nor a site that some may read. */
export function isPublicLive(site: OpenedSite): boolean {
  const { visibility } = site.published.site
  return isPublished(site) && (visibility === 'public' || visibility === 'unlisted')
}

/** Whether every visitor sees the same: nothing of it depends on who they are, nor on the program that they read with. */
export function isForEverybody(site: OpenedSite): boolean {
  const { published, claims } = site
  const dependsOnVisitor = Object.keys(claims).length > 0 || published.site.adaptiveContent?.enabled === true
  return isPublicLive(site) && !dependsOnVisitor && !excludesAgents(site)
}
