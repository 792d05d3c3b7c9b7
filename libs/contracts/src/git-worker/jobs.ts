import { jobs, operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id } from '../shared/conventions.ts'
import { GitError, GitProgress, gitStages, GitWarning } from './operations.ts'
import { Hash } from './manifests.ts'

const attempt = { operationId: Id, attempt: z.number().int() }

/** The secret parts of a repository's URL. */
export const GitCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    query: z.string().optional().describe('Query string, with its question mark'),
  })
  .meta({ id: 'GitCredentials', description: 'Credentials for a git server' })

/** A commit that an export pushes, as it is recorded before the server has it. */
export const GitPush = z
  .object({
    commit: z.string(),
    revision: Id.describe('The revision that it has'),
    isPartial: z.boolean().describe('The commit also has changes of the branch that the content lacks'),
    manifest: Hash,
  })
  .meta({ id: 'GitPush', description: 'A commit that an export pushes' })

const Work = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('done') }),
    z.object({ state: z.literal('busy') }),
    z.object({
      state: z.literal('run'),
      direction: z.enum(['import', 'export']),
      attempt: z.number().int(),
      spaceId: Id,
      organizationId: Id.describe('Whose operations may use the same clone'),
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

/**
 * Milliseconds that a worker waits for what content does for it. Content keeps the lease meanwhile: a worker that has waited in vain is
 * told by its next start whether content still works on it, has ended it, or ended without it.
 */
const handOver = 15_000

/** Calls from git-worker to content. */
export const gitCalls = operations({
  startGitOperation: {
    summary: 'Start an operation: lease it for this attempt',
    body: z.object({ operationId: Id }),
    reply: Work,
    timeout: 30_000,
  },
  returnGitOperation: {
    summary: 'Return an operation that was not started: its organization has its share of the worker',
    body: z.object({ operationId: Id }),
    reply: empty,
  },
  reportGitOperation: {
    summary: 'Report progress and renew the lease',
    body: z.object({
      ...attempt,
      stage: z.enum(gitStages),
      progress: GitProgress,
      pushing: GitPush.optional().describe('What is pushed as soon as this is recorded'),
    }),
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
    timeout: handOver,
    errors: ['conflict'],
  },
  bundleGitDocuments: {
    summary: 'Store documents of the content to export as a bundle',
    body: z.object({ ...attempt, documents: z.array(Hash).max(1000) }),
    reply: z.object({
      bundle: Hash.describe('The worker deletes it'),
      count: z.number().int().describe('How many of the documents it has, the first ones'),
    }),
    timeout: handOver,
    errors: ['conflict', 'not_found'],
  },
  describeGitBase: {
    summary: 'Store the content of a revision that an export builds on',
    body: z.object({ ...attempt, revision: Id.describe('One of the candidates that the export was given') }),
    reply: z.object({ content: Hash.describe('Blob with the content of the revision') }),
    timeout: handOver,
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
      warnings: z.array(GitWarning).default([]),
      base: Id.optional().describe('The candidate that it was based on, if it was one'),
    }),
    reply: z.object({ revision: Id }),
    timeout: handOver,
    errors: ['conflict'],
  },
  failGitOperation: {
    summary: 'Fail an operation, or retry it later',
    body: z.object({ ...attempt, error: GitError, retry: z.boolean(), warnings: z.array(GitWarning) }),
    reply: z.object({ retry: z.boolean().describe('Whether another attempt follows') }),
  },
})

const Job = z
  .object({ operationId: Id, organizationId: Id.describe('Whose share of a worker the operation counts to') })
  .meta({ id: 'GitJob', description: 'A git operation to run' })

/** Jobs of git-worker. */
export const gitJobs = jobs({
  importRepository: {
    subject: 'jobs.git.import',
    summary: 'Import a repository; the operation row holds the details',
    payload: Job,
    consumer: 'git-worker',
  },
  exportToRepository: {
    subject: 'jobs.git.export',
    summary: 'Export to a repository; the operation row holds the details',
    payload: Job,
    consumer: 'git-worker',
  },
  pollBranch: {
    subject: 'jobs.git.poll',
    summary: 'Ask a git server which commit a branch is at; the row of the synchronisation holds the details',
    payload: z.object({ syncId: Id }),
    consumer: 'git-worker',
  },
})
