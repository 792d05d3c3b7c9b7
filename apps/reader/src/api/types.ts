import type { changeComments, content, differences, history, spaces } from '@recto/contracts-content'
import type { lookup, publishedSites, siteAsk, siteRedirection, siteSearch } from '@recto/contracts-publishing'
import type { z } from 'zod'

type Output<Row extends { reply: z.ZodType }> = z.output<Row['reply']>

/** The result of looking up an address. */
export type Lookup = Output<typeof lookup.resolvePublishedContentByUrl>
/** The content that an address leads to, with the token to read it. */
export type SiteLookup = Extract<Lookup, { apiToken: string }> & {
  /** Since when the API is away: the lookup is the reader's own, and what is read by it comes from disk. */
  keptSince?: string
}
/** A site with what it shows and how it looks. */
export type PublishedSite = Output<typeof publishedSites.getPublishedContentSite>
/** A space as visitors see it. */
export type Space = Output<typeof spaces.getSpaceById>
/** A revision with its pages and files. */
export type Revision = Output<typeof content.getRevisionById>
/** An entry of the tree of pages. */
export type Page = Revision['pages'][number]
/** A page with content. */
export type DocumentPage = Extract<Page, { type: 'document' }>
/** A file of a revision. */
export type File = Revision['files'][number]
/** The changes of a space since a revision. */
export type ContentChanges = Output<typeof history.listContentChanges>
/** The pages and files that differ between two revisions. */
export type Differences = Output<typeof differences.listRevisionDifferences>
/** The differences of a page. */
export type PageDifference = Output<typeof differences.getRevisionPageDifference>
/** Comments of a change request beside its changes. */
export type ChangeComments = Output<typeof changeComments.listCommentsBesideChanges>
/** A comment of a change request with its replies. */
export type ChangeComment = ChangeComments['items'][number]
/** The document of a page. */
export type PageDocument = Output<typeof content.getPageDocumentInRevisionById>
/** Where a path of a site leads. */
export type Redirection = Output<typeof siteRedirection.getSiteRedirectBySource>
/** The result of a search. */
export type SearchResult = Output<typeof siteSearch.searchSiteContent>
/** An answer as far as it has come. */
export type AnswerEvent = Output<typeof siteAsk.streamAskInSite>
/** A page that an answer is from. */
export type AnswerSource = AnswerEvent['answer']['sources'][number]
/** A question that a site answers. */
export type RecommendedQuestion = Output<typeof siteAsk.streamRecommendedQuestionsInSite>
/** How a site, or a space of it, looks. */
export type Customization = PublishedSite['customizations']['site']
/** A space of a site. */
export type SiteSpace = Extract<PublishedSite['structure'], { type: 'siteSpaces' }>['structure'][number]
/** A section of a site, a group of them, or a link beside them. */
export type SectionEntry = Extract<PublishedSite['structure'], { type: 'sections' }>['structure'][number]
/** A section of a site. */
export type Section = Extract<SectionEntry, { object: 'site-section' }>
/** A link in the navigation of a site. */
export type ExternalLink = Extract<SectionEntry, { object: 'site-external-link' }>
