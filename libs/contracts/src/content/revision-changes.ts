import { operations } from '@recto/operation'
import { z } from 'zod'
import { flag, Id, Url } from '../shared/conventions.ts'

const ChangedPage = z
  .object({
    id: Id,
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional().describe('Left out for pages without path'),
  })
  .meta({ id: 'ChangedPage', description: 'A page that changed' })
const ChangedFile = z
  .object({ id: Id, name: z.string(), contentType: z.string(), downloadURL: Url })
  .meta({ id: 'ChangedFile', description: 'A file that changed' })
const ChangedReusableContent = z
  .object({ id: Id, title: z.string(), document: z.string().optional() })
  .meta({ id: 'ChangedReusableContent', description: 'A reusable content that changed' })
const Attribute = z
  .object({ before: z.unknown().optional(), after: z.unknown().optional() })
  .meta({ id: 'ChangedAttribute', description: 'A value before and after; left out where there was none' })

const attributes = z.record(z.string(), Attribute).describe('What changed, by the name of the field')
const moved = { page: ChangedPage, parent: z.object({ before: ChangedPage.optional(), after: ChangedPage.optional() }) }
const page = { page: ChangedPage }
const file = { file: ChangedFile }
const reusable = { reusableContent: ChangedReusableContent }

/** What somebody did to the content. */
export const RevisionChange = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), ...page }),
    z.object({ type: z.literal('page_edited'), ...page, attributes }),
    z.object({ type: z.literal('page_moved'), ...moved }),
    z.object({ type: z.literal('page_deleted'), ...page }),
    z.object({ type: z.literal('file_created'), ...file }),
    z.object({ type: z.literal('file_edited'), ...file, attributes }),
    z.object({ type: z.literal('file_deleted'), ...file }),
    z.object({ type: z.literal('variables_edited'), variables: z.record(z.string(), Attribute) }),
    z.object({ type: z.literal('reusable_content_created'), ...reusable }),
    z.object({ type: z.literal('reusable_content_edited'), ...reusable, attributes }),
    z.object({ type: z.literal('reusable_content_deleted'), ...reusable }),
  ])
  .meta({ id: 'RevisionChange', description: 'A change of the content' })

const RevisionChanges = z
  .object({
    changes: z.array(RevisionChange),
    more: z.number().int().optional().describe('How many changes there are besides; left out when there are none'),
  })
  .meta({ id: 'RevisionChanges', description: 'How a revision differs from the one before' })

/** How revisions differ. */
export const revisionChanges = operations({
  getRevisionSemanticChanges: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/changes',
    summary: 'List how a revision differs from the one before',
    query: z.object({
      metadata: flag(true).describe('Has no effect: changes of git metadata are none of the content'),
      computed: flag(true).describe('Has no effect: computed pages are compared as they are declared'),
      limit: z.coerce.number().int().min(0).max(1000).default(10).describe('Changes in the reply'),
    }),
    reply: RevisionChanges,
    errors: ['not_found'],
    immutable: true,
  },
})
