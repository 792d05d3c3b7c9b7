import { z } from 'zod'
import {
  ChangeRequest,
  Computed,
  ContentReference,
  Cover,
  flag,
  GitCommit,
  Id,
  Layout,
  list,
  page,
  revisionTypes,
  Timestamp,
  Url,
  User,
  Variables,
  endpoints,
  onResource,
  readersAndVisitors,
} from '@recto/contracts-shared'

/** A page that was changed. */
export const ChangedPage = z
  .object({
    id: Id,
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional().describe('Left out for pages without a path'),
  })
  .meta({ id: 'ChangedRevisionPage', description: 'A page that was changed' })

/** A file that was changed. */
export const ChangedFile = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    downloadURL: Url.describe('Signed URL that expires'),
  })
  .meta({ id: 'ChangedRevisionFile', description: 'A file that was changed' })

const ChangedReusableContent = z
  .object({ id: Id, title: z.string(), document: z.string().optional() })
  .meta({ id: 'ChangedRevisionReusableContent', description: 'A reusable content that was changed' })

const ChangedTag = z
  .object({ slug: z.string(), label: z.string() })
  .meta({ id: 'ChangedRevisionTag', description: 'A tag that was changed' })

/** A value before and after; left out where there is none. */
export function change<T extends z.ZodType>(value: T) {
  return z.object({ before: value.optional(), after: value.optional() })
}

const ChangedText = change(z.string()).meta({
  id: 'ChangeAttributeString',
  description: 'A text before and after; left out where there is none',
})
const ChangedFlag = change(z.boolean()).meta({
  id: 'ChangeAttributeBoolean',
  description: 'A setting before and after; left out where it is not set',
})

/** The fields of a page that were changed. */
export const PageAttributes = z
  .object({
    type: ChangedText,
    title: ChangedText,
    slug: ChangedText,
    description: ChangedText,
    emoji: ChangedText,
    icon: ChangedText,
    document: ChangedText.describe('Ids of documents'),
    condition: ChangedText,
    hidden: ChangedFlag,
    noIndex: ChangedFlag,
    noRobotsIndex: ChangedFlag,
    cover: change(Cover),
    layout: change(Layout),
    variables: change(Variables),
    target: change(ContentReference),
    computed: change(Computed),
  })
  .partial()
  .meta({ id: 'RevisionPageChangeAttributes', description: 'The fields of a page that were changed' })

const FileAttributes = z
  .object({
    name: ChangedText,
    downloadURL: ChangedText.describe('Given when the bytes of the file were changed'),
    size: change(z.number().int()).describe('Bytes'),
    contentType: ChangedText,
    dimensions: change(z.object({ width: z.number(), height: z.number() })),
  })
  .partial()
  .meta({ id: 'RevisionFileChangeAttributes', description: 'The fields of a file that were changed' })

const ReusableContentAttributes = z.object({ title: ChangedText, document: ChangedText }).partial().meta({
  id: 'RevisionReusableContentChangeAttributes',
  description: 'The fields of a reusable content that were changed',
})

const TagAttributes = z
  .object({ label: ChangedText, color: ChangedText, emoji: ChangedText, icon: ChangedText })
  .partial()
  .meta({ id: 'RevisionTagChangeAttributes', description: 'The fields of a tag that were changed' })

/** One change of content between two revisions. */
export const SemanticChange = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['page_created', 'page_deleted']), page: ChangedPage }),
    z.object({ type: z.literal('page_edited'), page: ChangedPage, attributes: PageAttributes }),
    z.object({
      type: z.literal('page_moved'),
      page: ChangedPage,
      parent: change(ChangedPage).describe(
        'A side without page is the root; both are the same when siblings changed order',
      ),
    }),
    z.object({ type: z.enum(['file_created', 'file_deleted']), file: ChangedFile }),
    z.object({ type: z.literal('file_edited'), file: ChangedFile, attributes: FileAttributes }),
    z.object({
      type: z.enum(['reusable_content_created', 'reusable_content_deleted']),
      reusableContent: ChangedReusableContent,
    }),
    z.object({
      type: z.literal('reusable_content_edited'),
      reusableContent: ChangedReusableContent,
      attributes: ReusableContentAttributes,
    }),
    z.object({
      type: z.literal('variables_edited'),
      variables: z.record(z.string(), change(Variables.valueType)).describe('The variables that were changed'),
    }),
    z.object({ type: z.enum(['tag_created', 'tag_deleted']), tag: ChangedTag }),
    z.object({ type: z.literal('tag_edited'), tag: ChangedTag, attributes: TagAttributes }),
  ])
  .meta({ id: 'RevisionSemanticChange', description: 'A change of content between two revisions' })

/** A change of main content, as who keeps a copy of it needs to know it. */
export const MainContentChange = z
  .discriminatedUnion('type', [
    ...SemanticChange.options,
    z.object({
      type: z.literal('page_removed'),
      page: z.object({ id: Id }).meta({ id: 'RemovedRevisionPage', description: 'A page that is not there any more' }),
    }),
  ])
  .meta({ id: 'MainContentChange', description: 'A change of main content between two of its revisions' })

const changeLimit = z.coerce.number().int().min(0).max(1000).default(10).describe('Changes that are listed')

const SemanticChanges = z
  .object({
    mergedFrom: ChangeRequest.optional().describe('The change request whose merge made the revision'),
    changes: z.array(SemanticChange),
    more: z.number().int().optional().describe('How many changes the limit leaves out; left out when there are none'),
  })
  .meta({
    id: 'RevisionSemanticChanges',
    description:
      'Changes of pages in the order of the tree, deleted pages last, then of files, reusable contents, variables and tags',
  })

const RevisionSummary = z
  .object({
    object: z.literal('revision'),
    id: Id,
    number: z.number().int().describe('Its place in the history of main content, from 1'),
    type: z.enum(revisionTypes),
    parents: z.array(Id),
    createdBy: User.optional(),
    createdAt: Timestamp,
    git: GitCommit.optional(),
    mergedFrom: ChangeRequest.optional().describe('The change request whose merge made it'),
    urls: z.object({ location: Url, app: Url }),
  })
  .meta({ id: 'RevisionSummary', description: 'A revision in the history of main content, without its content' })

/** Operations on changes between revisions of a space. */
export const history = endpoints({
  getRevisionSemanticChanges: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/changes',
    summary: 'List what a revision changed',
    description:
      'Compares it with its first parent; everything in a first revision is new. At most `limit` changes are listed, ten unless given, and `more` says how many others there are.',
    query: z.object({
      metadata: flag(true).describe('Has no effect: changes carry no git metadata'),
      computed: flag(true).describe('Has no effect: computed pages are compared as they are declared'),
      limit: changeLimit,
    }),
    reply: SemanticChanges,
    errors: ['not_found'],
    cache: { immutable: true },
    scope: 'space:read',
    access: onResource('read'),
  },
  listContentChanges: {
    route: 'GET /spaces/{spaceId}/content/changes',
    summary: 'List what changed in the main content of a space between two of its revisions',
    description:
      'Who keeps a copy of a space reads again what is listed, and asks the next time since `until` of the reply. Visitors of a site learn which pages that they see were created, moved or edited, in their text or in a reusable content, and the ids of those that they do not see any more (`page_removed`); `variables_edited`, by which they also learn of tags, can concern every page. Answers 404 for a revision that was never main content: the copy is read anew.',
    query: page.extend({
      since: Id.describe('The revision of main content that the caller has'),
      until: Id.optional().describe('A later one; main content as it is now unless given'),
    }),
    reply: list(MainContentChange).extend({
      until: Id.describe('The revision that the changes lead to'),
    }),
    errors: ['not_found'],
    scope: 'space:read',
    access: readersAndVisitors,
    examples: [{ query: { since: '{revisionId}', until: '{revisionId}' } }],
  },
  getChangeRequestChanges: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes',
    summary: 'List what a change request changes, against the main content that it was updated from last',
    description:
      'At most `limit` changes are listed, ten unless given, and `more` says how many others there are. What main content has changed since then is not among them.',
    query: z.object({ limit: changeLimit }),
    reply: SemanticChanges,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  listRevisions: {
    route: 'GET /spaces/{spaceId}/revisions',
    summary: 'List the revisions that the main content of a space has been, newest first',
    description:
      'They come without their content; get one by its id. Revisions of change requests are not in the list, but their merges are.',
    query: page,
    reply: list(RevisionSummary),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  restoreRevision: {
    route: 'POST /spaces/{spaceId}/revisions/{revisionId}/restore',
    summary: 'Restore a revision: main content becomes what it was then, as a new revision',
    description:
      'Works while the space is locked, as merging does. What main content held before stays in the history; what only a change request had cannot be restored (404). A deleted space is refused (409), and with `If-Match` main content that is another revision by now (412).',
    reply: RevisionSummary,
    creates: 'effect',
    errors: ['not_found', 'conflict', 'precondition_failed'],
    scope: 'space:write',
    access: onResource('review'),
    records: ['space.content.updated'],
  },
})
