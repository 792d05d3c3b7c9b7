import { z } from 'zod'
import {
  Computed,
  contentLimits,
  ContentReference,
  coverLook,
  GitBlob,
  Id,
  Layout,
  RevisionTag,
  text,
  Variables,
  Timestamp,
} from '@recto/contracts-shared'
import { GitWarning } from './git-warning.ts'
import { EntrySettings } from './repository-settings.ts'

/** SHA-256 in hex of bytes in the blob store. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/)

const nameFields = {
  title: z.string().min(1),
  linkTitle: z.string().optional(),
  emoji: z.string().optional(),
  icon: text({ max: contentLimits.icon }).optional(),
}
const visibilityFields = {
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  condition: z.string().optional(),
}
const slugged = {
  slug: z.string(),
  hasOwnSlug: z.literal(true).optional().describe('The repository says the slug; otherwise it is made of its name'),
}

const importedDocument = {
  type: z.literal('document'),
  ...nameFields,
  ...visibilityFields,
  ...slugged,
  git: GitBlob.optional().describe('Absent for an entry without file'),
  document: Hash.optional(),
  description: z.string().optional(),
  layout: Layout.extend({ coverSize: z.enum(['hero', 'full', 'background']) })
    .partial()
    .optional(),
  cover: z
    .object({
      ref: ContentReference.optional(),
      refDark: ContentReference.optional(),
      path: z.string().optional().describe('A file of the repository'),
      pathDark: z.string().optional().describe('A file of the repository, for dark mode'),
      ...coverLook,
    })
    .optional(),
  variables: Variables.optional(),
  metaLinks: z
    .object({ canonical: z.string().optional(), alternates: z.array(z.string()).optional() })
    .optional()
    .describe('As the page names them'),
  tags: z.array(z.object({ tag: z.string(), primary: z.boolean().optional() })).optional(),
}
type DocumentFields = typeof importedDocument
type DocumentShape = DocumentFields & {
  pages: z.ZodArray<
    z.ZodDiscriminatedUnion<[z.ZodObject<DocumentShape>, typeof ImportedLink, typeof ImportedComputed], 'type'>
  >
}
const ImportedDocument: z.ZodObject<DocumentShape> = z.object({
  ...importedDocument,
  get pages() {
    return z.array(ImportedChild)
  },
})
z.globalRegistry.add(ImportedDocument, { id: 'ImportedDocument', description: 'A page found in a repository' })

const ImportedLink = z
  .object({ type: z.literal('link'), ...nameFields, ...visibilityFields, href: z.string() })
  .meta({ id: 'ImportedLink', description: 'A link found in a repository' })

const ImportedComputed = z
  .object({ type: z.literal('computed'), ...nameFields, ...visibilityFields, computed: Computed })
  .meta({ id: 'ImportedComputed', description: 'A placeholder for computed pages' })

const ImportedChild = z.discriminatedUnion('type', [ImportedDocument, ImportedLink, ImportedComputed])

const ImportedGroup = z
  .object({ type: z.literal('group'), ...nameFields, ...visibilityFields, ...slugged, pages: z.array(ImportedChild) })
  .meta({ id: 'ImportedGroup', description: 'A group of pages found in SUMMARY.md' })

/** An entry of the imported page tree. */
export const ImportedPage = z
  .discriminatedUnion('type', [ImportedDocument, ImportedGroup, ImportedLink, ImportedComputed])
  .meta({ id: 'ImportedPage', description: 'An entry of the page tree found in a repository' })

const RepositoryLayout = z.object({
  root: z.string(),
  readme: z.string(),
  summary: z.string(),
  redirects: z.record(z.string(), z.string()),
  tags: z.array(RevisionTag).optional().describe('Left out by a worker that does not know them'),
})

const ImportedFile = z
  .object({
    name: z.string(),
    hasOwnName: z.literal(true).optional().describe('The repository says the name; otherwise it is that of its path'),
    git: GitBlob,
    hash: Hash,
    size: z.number().int(),
    contentType: z.string(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  })
  .meta({ id: 'ImportedFile', description: 'A file found in a repository' })

/** The result of an import: git-worker stores it as a JSON blob, because it can exceed the size limit of a message. */
export const ImportManifest = z
  .object({
    version: z.literal(1),
    configuration: RepositoryLayout,
    pages: z.array(ImportedPage),
    files: z.array(ImportedFile),
    reusableContents: z.array(z.object({ title: z.string(), git: GitBlob, document: Hash })),
    bundles: z.array(Hash).default([]).describe('Blobs with the new documents; deleted once the documents are stored'),
    variables: Variables,
    settingsFile: z
      .enum(['read', 'absent', 'unreadable'])
      .optional()
      .describe('The file of settings that Markdown has no place for; left out by a worker that does not know it'),
    warnings: z.array(GitWarning),
  })
  .meta({ id: 'ImportManifest', description: 'Pages, files and settings found in a repository' })

const recordFile = {
  id: Id,
  hash: Hash,
  oid: z.string().optional().describe('Git object, when the bytes are those of the repository'),
  path: z.string().describe('Below the root of the content'),
}

const ExportedPage = z
  .object({
    id: Id,
    parent: Id.nullable(),
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional().describe('Its file, below the root of the content'),
    wantedPath: z.string().optional().describe('The file that a page without one gets as soon as it has a text'),
    hash: Hash.optional(),
    oid: z.string().optional(),
    href: z.string().optional(),
    computed: Computed.optional(),
    settings: EntrySettings.optional().describe('Those that Markdown has no place for'),
    committedOid: z
      .string()
      .optional()
      .describe('The object of its file in the commit of the revision, which lacks settings that the page kept'),
  })
  .meta({ id: 'ExportedPage', description: 'A page to export' })

/** The content of a revision, as an export needs it. */
export const ExportState = z
  .object({
    commit: z.string().optional().describe('The commit that it was synchronised with'),
    wasInRepository: z.boolean().describe('Whether it ever was in a repository'),
    pages: z.array(ExportedPage).describe('Parents before children, siblings in order'),
    files: z.array(z.object({ ...recordFile, name: z.string().optional() })),
    reusableContents: z.array(z.object(recordFile)),
    variables: Variables,
    redirects: z.record(z.string(), z.string()),
    tags: z.array(RevisionTag).optional().describe('Left out where nothing is known of them, and the file stays'),
    settings: z
      .enum(['all', 'some'])
      .optional()
      .describe(
        'Whether the commit says all settings that Markdown has no place for; left out by a content service that does not tell them',
      ),
  })
  .meta({ id: 'ExportState', description: 'The content of a revision, as an export needs it' })

/** The content of a revision, as content stores it for an export. */
export const RevisionSnapshot = z
  .object({
    version: z.literal(1),
    state: ExportState,
    createdAt: Timestamp,
    commit: z.string().optional().describe('The commit that it is synchronised with'),
    synchronised: z
      .array(
        z.object({
          revision: Id,
          commit: z.string(),
          ref: z.string(),
          root: z.string().describe('The root of its content in the repository'),
          isPartial: z.boolean().describe('The commit also has changes of the branch that the content lacks'),
          createdAt: Timestamp,
        }),
      )
      .describe('Revisions of the space that were synchronised with a commit, newest first'),
    merged: z
      .object({ number: z.number().int(), subject: z.string() })
      .optional()
      .describe('The change request whose merge made the revision'),
    merges: z
      .array(z.object({ number: z.number().int(), subject: z.string() }))
      .describe('Change requests that were merged since, the last one first'),
    editor: Id.nullable().describe('Who made the last of these merges, else the revision'),
  })
  .meta({ id: 'RevisionSnapshot', description: 'The content of a revision with its history' })

/** The result of an export: git-worker stores it as a JSON blob. */
export const ExportManifest = z
  .object({
    version: z.literal(1),
    configuration: RepositoryLayout,
    records: z.array(z.object({ id: Id, path: z.string(), oid: z.string() })),
    hasAllSettings: z
      .boolean()
      .default(false)
      .describe('The commit says all settings of the content that Markdown has no place for'),
  })
  .meta({ id: 'ExportManifest', description: 'Where an export wrote pages and files' })
