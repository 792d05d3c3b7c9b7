import type { content } from '@recto/contracts-content'
import type { Output } from '@recto/operation'

/** A revision as its reader gets it. */
export type RevisionReply = Output<typeof content.getRevisionById>
/** An entry of the page tree as its reader gets it. */
export type PageReply = RevisionReply['pages'][number]
