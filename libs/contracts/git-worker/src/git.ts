import { z } from 'zod'
import {
  empty,
  GitInfo,
  Id,
  list,
  page,
  PointInTime,
  Subject,
  text,
  Timestamp,
  endpoints,
  onResource,
} from '@recto/contracts-shared'
import { gitErrors, GitWarning } from '@recto/contracts-git-worker-bus'

/** States of a git operation. */
export const gitStates = ['queued', 'running', 'success', 'failure', 'skipped'] as const
/** Stages of a running git operation. */
export const gitStages = ['repo_fetch', 'config_check', 'content_process', 'finalize'] as const
/** Progress of a stage. */
export const GitProgress = z
  .object({ done: z.number().int(), total: z.number().int() })
  .meta({ id: 'GitProgress', description: 'Progress of the current stage' })

/** Why a git operation failed. */
export const GitError = z
  .object({ code: z.enum(gitErrors), message: z.string(), path: z.string().optional() })
  .meta({ id: 'GitError', description: 'Reason why a git operation failed' })

/** One import from, or export to, a repository. */
export const GitOperation = z
  .object({
    object: z.literal('git-operation'),
    id: Id,
    direction: z.enum(['import', 'export']),
    automatic: z.boolean().describe('Started by the synchronisation of the space, not by a request'),
    state: z
      .enum(gitStates)
      .describe(
        '`skipped`: not run, since an operation with a later `timestamp` has finished, or since the synchronisation ended or exports first',
      ),
    stage: z.enum(gitStages).optional(),
    progress: GitProgress.optional(),
    url: z.string().optional().describe('The repository, without credentials; absent for a push of a folder'),
    ref: z.string().optional().describe('The branch; absent for a push of a folder'),
    createdAt: Timestamp,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    attempts: z.number().int(),
    revision: Id.optional(),
    commit: z.string().optional(),
    changeRequest: Id.optional().describe('The change request that a push of a folder writes to, once it exists'),
    message: z.string().optional().describe('What a push of a folder says of itself'),
    error: GitError.optional(),
    warnings: z.array(GitWarning),
  })
  .meta({ id: 'GitOperation', description: 'One import from, or export to, a repository' })

/** A branch of a repository, with the folder of the content. */
export const repositoryBranch = {
  url: text({ min: 1, max: 2048 }).describe('HTTP(S) URL; credentials and query are kept secret'),
  ref: z
    .string()
    .max(255)
    .regex(/^refs\/heads\/[^\s\p{Cc}~^:?*[\\]+$/u, 'must have the form refs/heads/<branch>')
    .describe('The branch, such as `refs/heads/main`'),
  repoProjectDirectory: text({ max: 1024 }).optional(),
}

const repository = {
  ...repositoryBranch,
  repoCacheID: text({ min: 1, max: 255 }).optional(),
  repoTreeURL: text({ max: 2048 })
    .optional()
    .describe('Prefix of links to files, joined with their path in the repository'),
  repoCommitURL: text({ max: 2048 }).optional().describe('Prefix of links to commits, joined with their id'),
  timestamp: PointInTime.optional().describe('Orders imports and exports; the time of the request unless given'),
}

const gitInfo = z
  .object({ provider: z.enum(['github', 'gitlab']).optional(), url: text({ max: 2048 }).optional() })
  .optional()
  .describe(
    'Provider and URL that the space shows for the repository; the URL prefixes links to files instead of `repoTreeURL`',
  )

const ImportRepository = z
  .object({
    ...repository,
    force: z.boolean().default(false).describe('Run even if a later operation has finished'),
    standalone: z.boolean().default(false).describe('Create a revision without changing the main content'),
    gitInfo,
  })
  .meta({ id: 'ImportRepository', description: 'The repository to import' })

const ExportRepository = z
  .object({
    ...repository,
    commitMessage: text({ min: 1, max: 10_000 }).describe(
      'Message of the commit; `{change_request_number}` and `{change_request_subject}` are those of the change request whose merge is exported',
    ),
    force: z
      .boolean()
      .default(false)
      .describe(
        'Run even if a later operation has finished, write all content instead of what changed, and replace commits that arrive again and again',
      ),
    standalone: z
      .boolean()
      .default(false)
      .describe('Write the content as it is, without linking the space to the repository: a copy of one moment'),
    gitInfo,
  })
  .meta({ id: 'ExportRepository', description: 'The repository to export to' })

const PushFolder = z
  .object({
    upload: Id.describe('Key of your own upload (`generateStorageUploadURL`, kind `import_file`) of a git pack'),
    commit: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'must be 40 hex digits')
      .describe('Id of the commit in the pack, with all of its trees and files'),
    base: Id.optional().describe('The revision of the space that the folder was read from'),
    changeRequest: z
      .union([
        z.object({ id: Id.describe('Id or number of an existing one') }),
        z.object({ subject: Subject.describe('Creates one with this subject') }),
      ])
      .optional()
      .describe('The change request to write to, in the place of main content'),
    message: text({ min: 1, max: 10_000 }).optional().describe('Shown by the operation'),
    force: z.boolean().default(false).describe('Push even if the content is not `base` any more'),
    repoProjectDirectory: text({ max: 1024 }).optional().describe('The folder of the content in the commit'),
  })
  .meta({ id: 'PushFolder', description: 'The folder to push to a space' })

/** Operations on git synchronisation. */
export const git = endpoints({
  importGitRepository: {
    route: 'POST /spaces/{spaceId}/git/import',
    summary: 'Import a repository into a space',
    description: 'Runs asynchronously: the header `Location` names the operation. A deleted space is refused (409).',
    body: ImportRepository,
    reply: empty,
    status: 204,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['git.sync.started'],
    scope: 'space:write',
    access: onResource('create'),
    examples: [{ body: { url: 'http://127.0.0.1:9/manual', ref: 'refs/heads/main' } }],
  },
  exportToGitRepository: {
    route: 'POST /spaces/{spaceId}/git/export',
    summary: 'Export a space to a repository',
    description:
      'Runs asynchronously: the header `Location` names the operation. Only what changed since the last import or export is written, in one commit; without changes there is none. A deleted space is refused (409).',
    body: ExportRepository,
    reply: empty,
    status: 204,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['git.sync.started'],
    scope: 'space:write',
    access: onResource('create'),
    examples: [{ body: { url: 'http://127.0.0.1:9/manual', ref: 'refs/heads/main', commitMessage: 'Export' } }],
  },
  pushToSpace: {
    route: 'POST /spaces/{spaceId}/git/push',
    summary: 'Push a folder to a space',
    description:
      'The folder, a commit in an uploaded git pack, becomes the content of the space or of a change request, byte for byte; only what differs changes. Runs asynchronously, in turn with imports and exports: the header `Location` names the operation. It links the space to no repository. Refused (409) are an upload that is not complete, content that is not `base` any more unless forced, a locked or deleted space, and a change request that is merged or archived; where that happens later, the operation fails (`content_moved`, `content_closed`) and has changed nothing. A change request starts at `base`, where that was main content.',
    body: PushFolder,
    reply: GitOperation,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['git.sync.started'],
    scope: 'space:write',
    access: onResource('edit'),
    examples: [
      { body: { upload: 'no-upload', commit: '0'.repeat(40) }, answers: 404 },
      {
        body: { upload: 'no-upload', commit: '0'.repeat(40), changeRequest: { id: '{changeRequestId}' } },
        answers: 404,
      },
      { body: { upload: 'no-upload', commit: '0'.repeat(40), base: '{revisionId}', force: true }, answers: 404 },
    ],
  },
  deleteLegacyGitInstallation: {
    route: 'DELETE /spaces/{spaceId}/git/legacy-installation',
    summary: 'Delete the legacy installation of the git synchronisation of a space',
    description: 'There are none, so that it changes nothing; `DELETE …/git/sync` ends a synchronisation.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: { nothing: 'There are none, so that it changes nothing' },
    scope: 'space:git:write',
    access: onResource('create'),
  },
  getSpaceGitInfo: {
    route: 'GET /spaces/{spaceId}/git/info',
    summary: 'Get the repository that a space is synchronised with',
    description:
      'That of the last import, export or synchronisation, with its latest operation. A space that has none is 404.',
    reply: GitInfo,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  listGitOperations: {
    route: 'GET /spaces/{spaceId}/git/operations',
    summary: 'List the git operations of a space, newest first',
    description: 'Imports and exports by request, and those of the synchronisation (`automatic`).',
    query: page,
    reply: list(GitOperation),
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('read'),
  },
  getGitOperation: {
    route: 'GET /spaces/{spaceId}/git/operations/{operationId}',
    summary: 'Get a git operation',
    description:
      'While it runs, `stage` and `progress` say how far it is; `error` says why it failed. An import that failed has changed nothing.',
    reply: GitOperation,
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('read'),
  },
  retryGitOperation: {
    route: 'POST /spaces/{spaceId}/git/operations/{operationId}/retry',
    summary: 'Retry a failed import or export',
    description:
      'It waits for its turn again, under the same id. A retried export writes main content as it is then. An operation that has not failed is refused (409), as is one of a synchronisation that has ended.',
    reply: GitOperation,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['git.sync.started'],
    scope: 'space:git:write',
    access: onResource('create'),
    examples: [{ params: { operationId: '{failedOperationId}' } }],
  },
})
