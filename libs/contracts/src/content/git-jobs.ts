import { jobs, operations } from '@recto/operation'
import { z } from 'zod'
import { Id, text } from '../conventions.ts'
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
  .meta({ id: 'ImportedLink', description: 'An entry that points elsewhere' })

const ImportedComputed = z
  .object({ type: z.literal('computed'), ...named, computed: Computed })
  .meta({ id: 'ImportedComputed', description: 'Stands for pages that are computed' })

const ImportedChild = z.discriminatedUnion('type', [ImportedDocument, ImportedLink, ImportedComputed])

const ImportedGroup = z
  .object({ type: z.literal('group'), ...named, ...shown, slug: z.string(), pages: z.array(ImportedChild) })
  .meta({ id: 'ImportedGroup', description: 'A heading of SUMMARY.md' })

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

/** What an import found, as git-worker hands it over: a JSON blob, since it can be larger than a message may be. */
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
    bundles: z
      .array(Hash)
      .default([])
      .describe('Blobs of the documents that were not known; each is gone when they were taken over'),
    variables: Variables,
    warnings: z.array(GitWarning),
  })
  .meta({ id: 'ImportManifest', description: 'Pages, files and settings found in a repository' })

const attempt = { operationId: Id, attempt: z.number().int() }

/** What the URL of a repository held besides its place: all of it is secret. */
export const GitCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    query: z.string().optional().describe('Query string, with its question mark'),
  })
  .meta({ id: 'GitCredentials', description: 'What a git server is shown by who asks' })

const Work = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('done') }),
    z.object({ state: z.literal('busy') }),
    z.object({
      state: z.literal('run'),
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
        .describe('Files and documents of the current content: these need not be handed over again'),
    }),
  ])
  .meta({ id: 'GitWork', description: 'What a worker has to do for an operation' })

/** Calls that git-worker makes of content. */
export const gitCalls = operations({
  startGitOperation: {
    summary: 'Take an operation up: a lease that the next attempt takes over',
    body: z.object({ operationId: Id }),
    reply: Work,
    timeout: 30_000,
  },
  reportGitOperation: {
    summary: 'Show progress and keep the lease',
    body: z.object({ ...attempt, stage: z.enum(gitStages), progress: GitProgress }),
    reply: z.object({ continue: z.boolean().describe('`false`: the lease is lost, stop') }),
  },
  finishGitImport: {
    summary: 'Make the revision of an import',
    body: z.object({
      ...attempt,
      commit: z.object({ oid: z.string(), message: z.string(), ref: z.string() }),
      manifest: Hash,
    }),
    reply: z.object({ revision: Id }),
    timeout: 120_000,
    errors: ['conflict'],
  },
  failGitOperation: {
    summary: 'Give an operation up, or have it tried again later',
    body: z.object({ ...attempt, error: GitError, retry: z.boolean(), warnings: z.array(GitWarning) }),
    reply: z.object({ retry: z.boolean().describe('Whether another attempt follows') }),
  },
})

/** Work for git-worker. */
export const gitJobs = jobs({
  importRepository: {
    subject: 'jobs.git.import',
    summary: 'Import a repository; the operation row holds all the rest',
    payload: z.object({ operationId: Id }),
    consumer: 'git-worker',
  },
})
