import { z } from 'zod'
import {
  ChangeRequest,
  ConditionSource,
  contentLimits,
  editingLimits,
  Emoji,
  File,
  FileName,
  HttpUrl,
  onlyFields,
  Id,
  text,
  Url,
  WrittenDocument,
  endpoints,
  onResource,
} from '@recto/contracts-shared'

const Ref = text({ min: 1, max: editingLimits.ref }).describe('A name for what is made, valid inside the batch only')
const PageOrRef = Id.describe('Id of a page, or the `ref` of one that an earlier change of the batch inserts')

/** The content of a page or comment: Markdown, a document, or nothing; a document in its place is refused, since it would be nothing. */
export const DocumentInput = z
  .strictObject(
    { markdown: text().optional(), document: WrittenDocument.optional() },
    onlyFields('markdown', 'document'),
  )
  .refine(({ markdown, document }) => markdown === undefined || document === undefined, {
    message: 'must have markdown or document, not both',
  })
  .meta({ id: 'DocumentInput', description: 'Content as Markdown or as a document; neither for an empty page' })

const at = z.number().int().min(0).optional().describe('Position among the siblings, from 0; the end unless given')
const Slug = text({ min: 1, max: editingLimits.slug }).regex(
  /^[\p{L}\p{N}\p{M}._~-]+$/u,
  'must contain only letters, digits and . _ ~ -',
)

const flags = { hidden: z.boolean().optional(), noIndex: z.boolean().optional(), noRobotsIndex: z.boolean().optional() }
const MetaLink = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('page'), page: PageOrRef, space: Id.optional().describe('Unless given, this one') }),
    z.object({ kind: z.literal('url'), url: HttpUrl }),
  ],
  { error: 'must be a reference of kind page or url' },
)

const MetaLinks = z
  .strictObject(
    {
      canonical: MetaLink.optional().describe('The page that this one repeats'),
      alternates: z.array(MetaLink).max(editingLimits.metaLinks).optional(),
    },
    onlyFields('canonical', 'alternates'),
  )
  .meta({
    id: 'PageMetaLinksInput',
    description: 'The page that a page repeats, and the same page in other languages and versions',
  })

const clearable = {
  linkTitle: text({ min: 1, max: editingLimits.linkTitle })
    .nullable()
    .optional()
    .describe('Title in the table of contents, where it is not that of the page'),
  metaLinks: MetaLinks.nullable().optional().describe('Of a page of type `document`'),
  emoji: Emoji.nullable().optional(),
  icon: text({ min: 1, max: contentLimits.icon }).nullable().optional(),
  description: text({ max: editingLimits.description }).nullable().optional(),
  condition: ConditionSource.nullable()
    .optional()
    .describe('Expression that decides whether visitors see the page, group or link, and all pages below it'),
}
const Title = text({ min: 1, max: editingLimits.title })

const InsertPage = z
  .object({
    operation: z.literal('insert_page'),
    type: z.enum(['document', 'group', 'link']).default('document').describe('Groups exist at the root only'),
    document: DocumentInput.optional(),
    href: HttpUrl.optional().describe('Where a page of type `link` leads'),
    into: PageOrRef.optional().describe('The page or group above; the root unless given'),
    at,
    ref: Ref.optional(),
    title: Title.optional().describe('Unless given: the title of the front matter, else the first heading'),
    slug: Slug.optional(),
    ...clearable,
    ...flags,
  })
  .meta({ id: 'InsertPage', description: 'Inserts a page; front matter in its Markdown becomes its settings' })

const UpdatePage = z
  .object({
    operation: z.literal('update_page'),
    page: PageOrRef,
    document: DocumentInput.optional(),
    href: HttpUrl.optional(),
    into: PageOrRef.nullable().optional().describe('The new page above; `null` is the root'),
    at,
    title: Title.optional(),
    slug: Slug.optional(),
    ...clearable,
    ...flags,
  })
  .meta({ id: 'UpdatePage', description: 'Changes a page or moves it; what is left out stays, `null` removes' })

const DeletePage = z
  .object({ operation: z.literal('delete_page'), page: PageOrRef })
  .meta({ id: 'DeletePage', description: 'Deletes a page with all pages below it' })

const RevertPage = z
  .object({
    operation: z.literal('revert_page'),
    page: Id,
    revision: Id.optional().describe(
      'The revision whose state of the page is restored; unless given, the one of main content that the change request is based on',
    ),
    block: z
      .array(text({ min: 1, max: 100 }))
      .min(1)
      .max(editingLimits.blocks)
      .optional()
      .describe('Keys of the blocks to revert, in the page as it is or as it was; all of the page unless given'),
  })
  .meta({
    id: 'RevertPage',
    description:
      'Restores the content and settings that a page had: a deleted page returns, and one that was added is removed. With `block`, these blocks of its text alone',
  })

const source = {
  base64: z.base64().optional(),
  url: HttpUrl.optional(),
  upload: Id.optional().describe('`key` of an upload of the caller in the organization'),
}
const oneSource = ({ base64, url, upload }: { base64?: unknown; url?: unknown; upload?: unknown }) =>
  [base64, url, upload].filter(origin => origin !== undefined).length === 1
const sourceFault = { message: 'must have exactly one of base64, url and upload' }

const InsertFiles = z
  .object({
    operation: z.literal('insert_files'),
    files: z
      .array(
        z
          .object({ name: FileName, contentType: text().optional(), ref: Ref.optional(), ...source })
          .refine(oneSource, sourceFault),
      )
      .min(1)
      .max(editingLimits.files),
  })
  .meta({ id: 'InsertFiles', description: 'Inserts files; their type is what their bytes say' })

const ReplaceFile = z
  .object({ operation: z.literal('replace_file'), file: Id, name: FileName.optional(), ...source })
  .refine(oneSource, sourceFault)
  .meta({ id: 'ReplaceFile', description: 'Replaces the bytes of a file, which keeps its id and its path' })

const DeleteFile = z
  .object({ operation: z.literal('delete_file'), file: Id })
  .meta({ id: 'DeleteFile', description: 'Deletes a file' })

/** One change of the content. */
export const ContentChange = z
  .discriminatedUnion('operation', [
    InsertPage,
    UpdatePage,
    DeletePage,
    RevertPage,
    InsertFiles,
    ReplaceFile,
    DeleteFile,
  ])
  .meta({ id: 'ContentChange', description: 'One change of the content' })

const ChangeResult = z
  .object({
    operation: z.string(),
    ref: z.string().optional(),
    page: z
      .object({ id: Id, title: z.string(), path: z.string() })
      .optional()
      .describe('The page that was inserted, changed or restored, as it is after the batch'),
    deletedPages: z.array(Id).optional().describe('The deleted page and the pages below it'),
    files: z.array(Id).optional().describe('Files that were inserted, replaced or deleted'),
  })
  .meta({ id: 'ContentChangeResult', description: 'What a change has done' })

/** A batch of changes. */
export const ContentChanges = z
  .object({ changes: z.array(ContentChange).min(1).max(editingLimits.changes) })
  .meta({ id: 'ContentChanges', description: 'Changes that are made together, in this order, or not at all' })

/** The result of a batch of changes. */
export const ContentChangesResult = z
  .object({
    revision: Id,
    changes: z.array(ChangeResult).describe('One for each change, in their order'),
    insertedFiles: z.array(File.extend({ ref: z.string().optional() })),
  })
  .meta({ id: 'ContentChangesResult', description: 'The revision that a batch of changes has made, and what is in it' })

const AffectedPage = z.object({
  object: z.literal('page'),
  id: Id,
  title: z.string(),
  path: z.string(),
  urls: z.object({ location: Url }),
})

const WrittenChanges = z
  .object({
    changeRequest: ChangeRequest,
    changes: z
      .array(
        z.discriminatedUnion('object', [
          z.object({ object: z.literal('created_page'), ref: z.string().optional(), page: AffectedPage }),
          z.object({ object: z.literal('updated_page'), page: AffectedPage }),
          z.object({ object: z.literal('deleted_page'), page: Id }),
        ]),
      )
      .describe('One for each page that is affected, as they were touched first'),
    insertedFiles: ContentChangesResult.shape.insertedFiles,
  })
  .meta({
    id: 'ChangeRequestContentChangesResult',
    description: 'What a batch of changes has done in a change request',
  })

/** Meta links to a page, in which the page names itself. */
const linkedPage = { kind: 'page', page: '{pageId}', space: '{spaceId}' }
const linkedPages = { canonical: linkedPage, alternates: [linkedPage] }

/** A page that an example inserts. */
const aNewPage = {
  operation: 'insert_page',
  title: 'Set up',
  into: '{pageId}',
  document: { markdown: 'Run `npm start`, and open the address that it shows.' },
}

/** Changes of content. */
export const editing = endpoints({
  updateContent: {
    route: 'POST /spaces/{spaceId}/content',
    summary: 'Change the content of a space',
    description:
      'Inserts, changes, moves and deletes pages and files, all or nothing, as one revision. Send the `ETag` of the content as `If-Match` to change it only if it is still the same (412); without it the changes apply to the current content, and what they name must still be there (409). Refused while the space is locked.',
    body: ContentChanges,
    reply: ContentChangesResult,
    creates: 'effect',
    errors: ['not_found', 'conflict', 'precondition_failed'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['space.content.updated'],
    examples: [
      { body: { changes: [aNewPage] } },
      { body: { changes: [{ operation: 'update_page', page: '{pageId}', into: '{pageId}' }] } },
      { body: { changes: [{ operation: 'update_page', page: '{pageId}', metaLinks: linkedPages }] } },
      { body: { changes: [{ operation: 'revert_page', page: '{pageId}', revision: '{revisionId}' }] } },
      { body: { changes: [{ operation: 'replace_file', file: '{fileId}', base64: '' }] } },
      { body: { changes: [{ operation: 'delete_file', file: '{fileId}' }] } },
    ],
  },
  updateContentInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Change the content of a change request',
    description:
      'As for main content, also while the space is locked. Refused when the change request is merged or archived (409), and with `If-Match` when its content is another revision by now (412). With `compat=false` the reply also names what was made.',
    query: z.object({
      compat: z.enum(['true', 'false']).default('true').describe('`true` answers the change request alone'),
    }),
    body: ContentChanges,
    reply: z.union([WrittenChanges, ChangeRequest]),
    creates: 'effect',
    errors: ['not_found', 'conflict', 'precondition_failed'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.content.updated'],
    examples: [
      { body: { changes: [aNewPage] } },
      { body: { changes: [{ operation: 'update_page', page: '{pageId}', into: '{pageId}' }] } },
      { body: { changes: [{ operation: 'update_page', page: '{pageId}', metaLinks: linkedPages }] } },
      { body: { changes: [{ operation: 'revert_page', page: '{pageId}', revision: '{revisionId}' }] } },
      { body: { changes: [{ operation: 'replace_file', file: '{fileId}', base64: '' }] } },
      { body: { changes: [{ operation: 'delete_file', file: '{fileId}' }] } },
    ],
  },
})
