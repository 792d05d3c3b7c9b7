import { z } from 'zod'
import { Id, Order, page, repeated } from '@recto/contracts-shared'

/** Query of every read of comments. */
export const formatted = z.object({
  format: z.enum(['document', 'markdown']).default('markdown').describe('Format of the text'),
})
/** Query of lists of comments. */
export const filter = page.extend({
  ...formatted.shape,
  order: Order,
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  targetPage: Id.optional().describe('Id of the page that they are about'),
  authors: repeated(Id, 100).optional().describe('Ids of users who posted them'),
})
/** Failures of reads of comments. */
export const errors = ['not_found'] as const
/** Failures of changes of comments. */
export const writing = ['not_found', 'conflict'] as const
/** Who may update a comment. */
export const updating =
  'The author edits it; the author, or who has the role `edit`, resolves and reopens it; who may comment reacts to it.'

const formattedText = 'Its text is Markdown unless `format` says otherwise.'
const removal =
  'Its author may delete it, and whoever has the role `admin` (403). One that is not there is no error; in a deleted space nothing is written (409).'
/** Descriptions of operations on comments. */
export const commenting = {
  list: 'Open and resolved ones, of all pages and authors, unless the query says otherwise. `outdated` says that what a comment is about is not there any more as it was.',
  post: 'It is about a page, a block or a cell of a table, or without these about the content as a whole; what is not there is 404 with its field. In a deleted space nothing is written (409).',
  get: `${formattedText} Replies have a list of their own.`,
  remove: removal,
} as const
/** Descriptions of operations on replies. */
export const replying = {
  list: 'Texts are Markdown unless `format` says otherwise. Without the comment it is 404, and not an empty list.',
  post: 'A resolved comment can be replied to, too, and stays resolved. In a deleted space nothing is written (409).',
  get: formattedText,
  update: 'Only its author edits it (403); who may comment reacts to it. In a deleted space nothing is written (409).',
  remove: removal,
} as const
/** Description of lists of commenters. */
export const commenters = 'Replies count, too. Who has left the organization is not listed.'
