import { z } from 'zod'
import { endpoints, Id, list, onResource, page, Timestamp } from '@recto/contracts-shared'

const remark = {
  id: Id,
  author: z.string().describe('Name of who posted it; nothing else of them is told'),
  postedAt: Timestamp,
  editedAt: Timestamp.optional(),
  markdown: z.string(),
}

const Remark = z.object(remark).meta({ id: 'ChangeCommentReply', description: 'A reply to a comment, beside changes' })

const ChangeComment = z
  .object({
    object: z.literal('change-comment'),
    ...remark,
    status: z.enum(['open', 'resolved']),
    page: z.object({ id: Id, title: z.string() }).optional().describe('The page that it is about'),
    node: z
      .object({
        id: z.string().describe('Key, or id, of the block'),
        preview: z.string().optional().describe('Its text'),
      })
      .optional()
      .describe('The block that it is about, and its text when it was commented on'),
    outdated: z.boolean().describe('What it is about is not there any more as it was'),
    replies: z.array(Remark).describe('Oldest first; the first ones of many'),
    replyCount: z.number().int().describe('All replies, those that are left out among them'),
  })
  .meta({ id: 'ChangeComment', description: 'A comment on a change request with its replies, as shown beside changes' })

/** Comments of change requests beside their changes. */
export const changeComments = endpoints({
  listCommentsBesideChanges: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes/comments',
    summary:
      'List the comments on a change request with their replies, oldest first, as they are shown beside its changes',
    description:
      'Whoever previews a site for themselves (`comments` of its preview) reads them, too, with the rights that they have at that moment; for other visitors there are none (404).',
    query: page.extend({ targetPage: Id.optional().describe('Id of the page that they are about') }),
    reply: list(ChangeComment),
    errors: ['not_found'],
    scope: 'space:read',
    access: { ...onResource('comment'), callers: ['visitor'], visitors: 'named' },
    examples: [{}, { query: { targetPage: '{pageId}' }, ignores: ['pageId'] }],
  },
})
