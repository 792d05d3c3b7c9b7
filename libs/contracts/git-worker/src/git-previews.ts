import { z } from 'zod'
import { endpoints, Id, list, onResource, page, Timestamp, Url } from '@recto/contracts-shared'
import { GitError } from './git.ts'

const Fault = z
  .object({
    rule: z.string(),
    severity: z.enum(['error', 'warning']),
    path: z.string(),
    line: z.number().int().optional(),
    message: z.string(),
  })
  .meta({ id: 'GitPreviewFault', description: 'A fault of a file that a pull request brings' })

const GitPreviewReport = z
  .object({
    base: z
      .string()
      .optional()
      .describe('The commit that it began from, which it is compared with; without, with the newest of the branch'),
    pages: z.object({
      added: z.number().int().describe('Pages that only the pull request has'),
      changed: z.number().int().describe('Pages of both with another content'),
      removed: z.number().int().describe('Pages that the pull request deletes'),
    }),
    faults: z
      .object({
        errors: z.number().int().describe('Faults that fail the status'),
        warnings: z.number().int().describe('Faults that do not'),
        items: z.array(Fault).describe('The first of them; those that the branch has already are left out'),
      })
      .describe('New faults of the files'),
    roundTrip: z
      .object({
        state: z
          .enum(['identical', 'different', 'unknown'])
          .describe('`identical`: importing and exporting the commit makes no new one, byte for byte'),
        paths: z.array(z.string()).describe('Files that an export would change'),
      })
      .describe('Whether an export of what was imported changes the repository'),
  })
  .meta({ id: 'GitPreviewReport', description: 'The result of checking the head of a pull request' })

const GitPreviewStatus = z
  .object({
    commit: z.string(),
    state: z.enum(['pending', 'success', 'failure', 'error']),
    description: z.string(),
    delivered: z.boolean().describe('Whether the forge has it'),
    error: z.string().optional().describe('Why the forge does not have it yet'),
  })
  .meta({ id: 'GitPreviewStatus', description: 'The status of a commit, as the forge shows it' })

const GitPreview = z
  .object({
    object: z.literal('git-preview'),
    id: Id,
    number: z.number().int().describe('Of the pull request, or merge request'),
    title: z.string().optional().describe('As far as a webhook or the API of the forge has told it'),
    url: Url.optional().describe('The pull request at its forge'),
    state: z
      .enum(['waiting', 'importing', 'checking', 'ready', 'failed', 'closed'])
      .describe(
        '`checking`: it can be read already; `closed`: the pull request was merged or closed, and the preview is gone',
      ),
    access: z.enum(['open', 'members']).describe('Who may read it at its address'),
    address: Url.optional().describe(
      'Where it is shown; left out while no published site shows the space, and when it is closed',
    ),
    head: z.string().optional().describe('The newest commit of the pull request'),
    commit: z.string().optional().describe('The commit that is shown'),
    revision: Id.optional(),
    error: GitError.optional(),
    report: GitPreviewReport.optional(),
    status: GitPreviewStatus.optional().describe('Of the newest commit'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'GitPreview', description: 'The preview of a pull request' })

const CodeQualityFault = z
  .object({
    description: z.string(),
    check_name: z.string().describe('The rule'),
    fingerprint: z.string().describe('The same for the same fault of another commit'),
    severity: z.enum(['info', 'minor', 'major', 'critical', 'blocker']),
    location: z.object({
      path: z.string(),
      lines: z.object({ begin: z.number().int().describe('From 1') }).describe('Where it begins'),
    }),
  })
  .meta({ id: 'CodeQualityFault', description: 'A fault in the form of a code quality report of GitLab' })

/** Operations on the previews of pull requests. */
export const gitPreviews = endpoints({
  listGitPreviews: {
    route: 'GET /spaces/{spaceId}/git/previews',
    summary: 'List the previews of pull requests of a space, newest first',
    description:
      'Open pull requests for the synchronised branch, and those that were merged or closed since. `address` shows the commit that was imported last, while a newer one is on its way.',
    query: page,
    reply: list(GitPreview),
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('read'),
  },
  getGitPreview: {
    route: 'GET /spaces/{spaceId}/git/previews/{previewId}',
    summary: 'Get the preview of a pull request',
    description:
      '`report` says what the pull request brings: changed pages, new faults, and whether an export would change it.',
    reply: GitPreview,
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('read'),
  },
  getGitPreviewCodeQuality: {
    route: 'GET /spaces/{spaceId}/git/previews/{previewId}/code-quality',
    summary: 'Get the faults that a pull request brings as a code quality report of GitLab',
    description:
      'A job of a pipeline stores the reply as its artifact `codequality`, and GitLab shows the faults beside the lines. Until the newest commit is checked it is 404.',
    reply: z.array(CodeQualityFault),
    errors: ['not_found'],
    scope: 'space:git:read',
    access: onResource('read'),
    examples: [{ answers: 404 }],
  },
})
