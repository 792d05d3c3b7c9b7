import type { content, spaces } from '@recto/contracts-content'
import type { lookup, publishedSites, siteSearch } from '@recto/contracts-publishing'
import type { z } from 'zod'

type Reply<Row extends { reply: z.ZodType }> = z.output<Row['reply']>

/** The target of an address of a site. */
export type Lookup = Reply<typeof lookup.resolvePublishedContentByUrl>
/** A site as its reader gets it. */
export type PublishedSite = Reply<typeof publishedSites.getPublishedContentSite>
/** A space as its reader gets it. */
export type SpaceReply = Reply<typeof spaces.getSpaceById>
/** A revision as its reader gets it. */
export type RevisionReply = Reply<typeof content.getRevisionById>
/** An entry of the page tree as its reader gets it. */
export type PageReply = RevisionReply['pages'][number]
/** A search as its reader gets it. */
export type SearchReply = Reply<typeof siteSearch.searchSiteContent>
