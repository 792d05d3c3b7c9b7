import { jobs, operations } from '@recto/operation'
import { z } from 'zod'
import { Id, text } from '../shared/conventions.ts'
import { GitError, GitProgress, gitStages, GitWarning } from './git.ts'
import { Computed, contentLimits, ContentReference, GitBlob, Layout, Variables } from './pages.ts'

/** SHA-256 in hex of bytes in the blob store. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

const named = {
  title: z.string().min(1),
  emoji: z.string().optional(),
  icon: text({ max: contentLimits.icon }).optional(),
}
const shown = { hidden: z.boolean().optional(), noIndex: z.boolean().optional(), noRobotsIndex: z.boolean().optional() }

const importedDocument = {
  type: z.literal('document'),
  ...named,
  ...shown,
  slug: z.string(),
  git: GitBlob.optional().describe('Absent for an entry without file'),
  document: Hash.optional(),
  description: z.string().optional(),
  condition: z.string().optional(),
  layout: Layout.partial().optional(),
  cover: z
    .object({
      ref: ContentReference.optional(),
      refDark: ContentReference.optional(),
      path: z.string().optional().describe('A file of the repository'),
      pathDark: z.string().optional().describe('A file of the repository, for dark mode'),
      yPos: z.number(),
    })
    .optional(),
  variables: Variables.optional(),
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
  .object({ type: z.literal('link'), ...named, href: z.string() })
  .meta({ id: 'ImportedLink', description: 'A link found in a repository' })

const ImportedComputed = z
  .object({ type: z.literal('computed'), ...named, computed: Computed })
  .meta({ id: 'ImportedComputed', description: 'A placeholder for computed pages' })

const ImportedChild = z.discriminatedUnion('type', [ImportedDocument, ImportedLink, ImportedComputed])

const ImportedGroup = z
  .object({ type: z.literal('group'), ...named, ...shown, slug: z.string(), pages: z.array(ImportedChild) })
  .meta({ id: 'ImportedGroup', description: 'A group of pages found in SUMMARY.md' })

/** An entry of the page tree that an import found. */
export const ImportedPage = z
  .discriminatedUnion('type', [ImportedDocument, ImportedGroup, ImportedLink, ImportedComputed])
  .meta({ id: 'ImportedPage', description: 'An entry of the page tree found in a repository' })

const ImportedFile = z
  .object({
    name: z.string(),
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
    configuration: z.object({
      root: z.string(),
      readme: z.string(),
      summary: z.string(),
      redirects: z.record(z.string(), z.string()),
    }),
    pages: z.array(ImportedPage),
    files: z.array(ImportedFile),
    reusableContents: z.array(z.object({ title: z.string(), git: GitBlob, document: Hash })),
    bundles: z.array(Hash).default([]).describe('Blobs with the new documents; deleted once the documents are stored'),
    variables: Variables,
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
  })
  .meta({ id: 'ExportedPage', description: 'A page to export' })

const ExportState = z
  .object({
    commit: z.string().optional().describe('The commit that it was synchronised with'),
    wasInRepository: z.boolean().describe('Whether it ever was in a repository'),
    pages: z.array(ExportedPage).describe('Parents before children, siblings in order'),
    files: z.array(z.object(recordFile)),
    reusableContents: z.array(z.object(recordFile)),
    variables: Variables,
    redirects: z.record(z.string(), z.string()),
  })
  .meta({ id: 'ExportState', description: 'The content of a revision, as an export needs it' })

/** What an export writes: content stores it as a JSON blob, because it can exceed the size limit of a message. */
export const ExportContent = z
  .object({
    version: z.literal(1),
    now: ExportState,
    base: ExportState.optional().describe('What the last synchronisation with the repository had'),
    isSameBranch: z.boolean().describe('Whether that was of the same branch'),
  })
  .meta({ id: 'ExportContent', description: 'The content to export' })

/** The result of an export: git-worker stores it as a JSON blob. */
export const ExportManifest = z
  .object({
    version: z.literal(1),
    configuration: z.object({
      root: z.string(),
      readme: z.string(),
      summary: z.string(),
      redirects: z.record(z.string(), z.string()),
    }),
    records: z.array(z.object({ id: Id, path: z.string(), oid: z.string() })),
  })
  .meta({ id: 'ExportManifest', description: 'Where an export wrote pages and files' })

const attempt = { operationId: Id, attempt: z.number().int() }

/** The secret parts of a repository's URL. */
export const GitCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    query: z.string().optional().describe('Query string, with its question mark'),
  })
  .meta({ id: 'GitCredentials', description: 'Credentials for a git server' })

const Work = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('done') }),
    z.object({ state: z.literal('busy') }),
    z.object({
      state: z.literal('run'),
      direction: z.enum(['import', 'export']),
      attempt: z.number().int(),
      spaceId: Id,
      url: z.string().describe('Without credentials and query'),
      credentials: GitCredentials.optional(),
      ref: z.string(),
      repoCacheID: z.string().optional(),
      projectDirectory: z.string().optional(),
      force: z.boolean(),
      known: z
        .array(
          z.object({ oid: z.string(), hash: Hash, size: z.number().int(), isDocument: z.boolean().default(false) }),
        )
        .describe('Files and documents of the current content, which need no upload'),
      export: z
        .object({
          revision: Id,
          content: Hash.describe('Blob with the content to export'),
          message: z.string(),
          author: z.object({ name: z.string(), email: z.string() }),
          committer: z.object({ name: z.string(), email: z.string() }),
        })
        .optional()
        .describe('What an export writes'),
    }),
  ])
  .meta({ id: 'GitWork', description: 'Work of one git operation' })

/** Calls from git-worker to content. */
export const gitCalls = operations({
  startGitOperation: {
    summary: 'Start an operation: lease it for this attempt',
    body: z.object({ operationId: Id }),
    reply: Work,
    timeout: 30_000,
  },
  reportGitOperation: {
    summary: 'Report progress and renew the lease',
    body: z.object({ ...attempt, stage: z.enum(gitStages), progress: GitProgress }),
    reply: z.object({ continue: z.boolean().describe('`false`: the lease is lost, stop working') }),
  },
  finishGitImport: {
    summary: 'Finish an import: create its revision',
    body: z.object({
      ...attempt,
      commit: z.object({ oid: z.string(), message: z.string(), ref: z.string() }),
      manifest: Hash,
    }),
    reply: z.object({ revision: Id }),
    timeout: 120_000,
    errors: ['conflict'],
  },
  bundleGitDocuments: {
    summary: 'Store documents of the content to export as a bundle',
    body: z.object({ ...attempt, documents: z.array(Hash).max(1000) }),
    reply: z.object({
      bundle: Hash.describe('The worker deletes it'),
      count: z.number().int().describe('How many of the documents it has, the first ones'),
    }),
    timeout: 60_000,
    errors: ['conflict', 'not_found'],
  },
  finishGitExport: {
    summary: 'Finish an export: record its commit',
    body: z.object({
      ...attempt,
      revision: Id.describe('The revision that was exported'),
      commit: z.object({ oid: z.string(), message: z.string(), createdByService: z.boolean() }),
      isPartial: z.boolean().describe('The commit also has changes of the branch that the content lacks'),
      manifest: Hash,
    }),
    reply: z.object({ revision: Id }),
    timeout: 120_000,
    errors: ['conflict'],
  },
  failGitOperation: {
    summary: 'Fail an operation, or retry it later',
    body: z.object({ ...attempt, error: GitError, retry: z.boolean(), warnings: z.array(GitWarning) }),
    reply: z.object({ retry: z.boolean().describe('Whether another attempt follows') }),
  },
})

/** Jobs of git-worker. */
export const gitJobs = jobs({
  importRepository: {
    subject: 'jobs.git.import',
    summary: 'Import a repository; the operation row holds the details',
    payload: z.object({ operationId: Id }),
    consumer: 'git-worker',
  },
  exportToRepository: {
    subject: 'jobs.git.export',
    summary: 'Export to a repository; the operation row holds the details',
    payload: z.object({ operationId: Id }),
    consumer: 'git-worker',
  },
})
