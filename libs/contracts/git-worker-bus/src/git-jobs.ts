import { jobs } from '@recto/operation'
import { z } from 'zod'
import { Id } from '@recto/contracts-shared'
import { Hash } from './git-manifests.ts'

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
