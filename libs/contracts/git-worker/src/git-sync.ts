import { z } from 'zod'
import {
  empty,
  endpoints,
  hasCredentials,
  HttpUrl,
  Id,
  onlyFields,
  onResource,
  signer,
  text,
  Timestamp,
  Url,
} from '@recto/contracts-shared'
import { GitError, GitOperation, repositoryBranch } from './git.ts'

/** Seconds between two polls. */
export const gitSyncLimits = { shortestInterval: 10, longestInterval: 86_400, defaultInterval: 300 }

const { shortestInterval, longestInterval, defaultInterval } = gitSyncLimits

/** Direction in which content goes after the first synchronisation. */
const Direction = z.enum(['import', 'export', 'both'])
const Side = z.enum(['import', 'export'])

/** The programs that host repositories and whose pull requests are previewed. */
export const Forge = z.enum(['github', 'gitlab', 'gitea', 'forgejo'])

const PreviewAccess = z.enum(['open', 'members'])

const SetGitPreviews = z
  .strictObject(
    {
      forge: Forge.optional().describe(
        'Which program hosts the repository; where its host does not say it, it must be given',
      ),
      apiUrl: HttpUrl.refine(url => !hasCredentials(url), 'must have no credentials')
        .optional()
        .describe('The API of the forge, where it is not at its usual place'),
      access: PreviewAccess.optional().describe(
        '`open`: whoever knows the address of a preview, which nobody guesses; `members`: who may read the space. Unless given, open where everybody may read both the site and the repository',
      ),
      statusToken: text({ min: 1, max: 4096 })
        .regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only')
        .nullable()
        .optional()
        .describe(
          'Sets statuses of commits; without one there are none. Left out, the stored one stays while the URL and `apiUrl` are the same; `null` forgets it',
        ),
    },
    onlyFields('forge', 'apiUrl', 'access', 'statusToken'),
  )
  .meta({ id: 'SetGitPreviews', description: 'How pull requests of the repository are previewed' })

const GitPreviews = z
  .object({
    forge: Forge.describe('The program that hosts the repository'),
    apiUrl: Url.describe('The API of the forge'),
    access: PreviewAccess.optional().describe('Left out where it depends on the site and the repository'),
    hasStatusToken: z.boolean().describe('Whether there is a token for statuses of commits, which is never shown'),
    since: z
      .number()
      .int()
      .optional()
      .describe('Pull requests above this number are found without a webhook; left out until the first look'),
  })
  .meta({ id: 'GitPreviews', description: 'How pull requests of the repository are previewed' })

const SetGitSync = z
  .object({
    ...repositoryBranch,
    direction: Direction.describe(
      '`import`: pushes become main content; `export`: changes of main content become commits; or both',
    ),
    credentials: z
      .object({ username: text({ max: 255 }).default(''), password: text({ min: 1, max: 4096 }) })
      .nullable()
      .optional()
      .describe(
        'Instead of credentials in the URL. Left out, those that are stored stay while the URL is the same; `null` forgets them',
      ),
    webhookSecret: z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must have 16 to 255 visible ASCII characters')
      .nullable()
      .optional()
      .describe(
        'Left out, the stored one stays while the URL is the same; without one, and with `null`, a new one is generated',
      ),
    pollInterval: z
      .number()
      .int()
      .refine(
        seconds => seconds === 0 || (seconds >= shortestInterval && seconds <= longestInterval),
        `must be 0, or ${shortestInterval} to ${longestInterval} seconds`,
      )
      .default(defaultInterval)
      .describe('Seconds between two looks at the branch; with 0 only webhooks tell of pushes'),
    commitMessageTemplate: text({ min: 1, max: 10_000 })
      .optional()
      .describe('Message of commits; `{change_request_number}` and `{change_request_subject}` are those of the merge'),
    initial: Side.optional().describe(
      'Which side replaces the other the first time: `import` takes the branch, `export` the space. Unless given, `export` where that is the direction, else `import`',
    ),
    previews: SetGitPreviews.nullable()
      .optional()
      .describe(
        'Previews of pull requests, for `import` and `both`. Left out, they stay as they are while the URL is the same; `null` switches them off',
      ),
  })
  .meta({ id: 'SetGitSync', description: 'The branch that a space is synchronised with, and how' })

const GitSync = z
  .object({
    object: z.literal('git-sync'),
    url: z.string().describe('The repository, without credentials'),
    ref: z.string(),
    repoProjectDirectory: z.string().optional(),
    direction: Direction,
    pollInterval: z.number().int(),
    commitMessageTemplate: z.string().optional(),
    hasCredentials: z.boolean(),
    previews: GitPreviews.optional(),
    webhook: z.object({
      url: Url.describe('Where the git server reports pushes'),
      secret: z.string().optional().describe('Only in the reply to the request that generated it'),
    }),
    state: z
      .enum(['waiting', 'synchronizing', 'synchronized', 'failing', 'paused'])
      .describe('`waiting` for the first time; `paused` while the space is deleted'),
    initial: Side.optional().describe('What the first synchronisation is, until it has succeeded'),
    commit: z.string().optional().describe('The commit that was last synchronised'),
    revision: Id.optional().describe('The main content that was last synchronised'),
    lastImport: GitOperation.optional(),
    lastExport: GitOperation.optional(),
    lastError: GitError.optional().describe('Of the last attempt, if that failed'),
    failures: z.number().int().describe('Attempts that failed since the last one that succeeded'),
    nextPollAt: Timestamp.optional().describe('When the branch is looked at, or a failed attempt repeated'),
    createdBy: Id.describe('Id of the user in whose name it works'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'GitSync', description: 'The synchronisation of a space with a branch' })

/** Headers with the signature or token, and with the event, of GitHub, Gitea, Forgejo and GitLab. */
const webhookHeaders = [
  'x-hub-signature-256',
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-gitlab-token',
  'x-github-event',
  'x-gitea-event',
  'x-forgejo-event',
  'x-gitlab-event',
] as const

/** Limit on the bytes of a webhook; GitHub sends at most 25 MB. */
const maxPushBytes = 26 * 1024 * 1024

/** Operations on the synchronisation of a space with a branch. */
export const gitSync = endpoints({
  setGitSync: {
    route: 'PUT /spaces/{spaceId}/git/sync',
    summary: 'Synchronise a space with a branch of a repository',
    description:
      'Replaces the settings of the synchronisation. Another URL, branch or folder starts anew: one side replaces the other. The same ones go on, and what failed is tried again. A deleted space is refused (409).',
    body: SetGitSync,
    reply: GitSync,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['git.sync.updated', 'git.sync.started'],
    scope: 'space:git:write',
    access: onResource('create'),
    examples: [
      { body: { url: 'http://127.0.0.1:9/docs', ref: 'refs/heads/main', direction: 'import', pollInterval: 0 } },
    ],
  },
  getGitSync: {
    route: 'GET /spaces/{spaceId}/git/sync',
    summary: 'Get the synchronisation of a space',
    description:
      '`state`, `lastError` and `nextPollAt` say how it is going. Credentials and the secret of the webhook are not shown. A space without synchronisation is 404.',
    reply: GitSync,
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('create'),
  },
  deleteGitSync: {
    route: 'DELETE /spaces/{spaceId}/git/sync',
    summary: 'End the synchronisation of a space',
    description:
      'Forgets its credentials and the secret of its webhook. Content and repository stay as they are. A deleted space is refused (409).',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    records: ['git.sync.removed'],
    scope: 'space:git:write',
    access: onResource('create'),
  },
  receiveGitPush: {
    route: 'POST /spaces/{spaceId}/git/webhook',
    summary: 'Receive a push or pull request from the webhook of a git server',
    description:
      'Takes events of GitHub, GitLab, Gitea and Forgejo, signed with the secret of the webhook. A push to the synchronised branch is looked at, and a pull request where they are previewed; whatever else arrives starts nothing.',
    request: { headers: webhookHeaders, raw: true },
    limits: { signedBytes: maxPushBytes },
    reply: z.object({
      object: z.literal('git-webhook'),
      started: z.boolean(),
      message: z.string().describe('What happens, or why nothing does'),
    }),
    records: ['git.preview.closed'],
    access: signer,
    examples: [{ answers: 401 }],
    errors: ['unauthenticated'],
  },
})
