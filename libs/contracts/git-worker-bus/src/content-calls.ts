import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, Subject, Timestamp } from '@recto/contracts-shared'
import { Hash } from './git-manifests.ts'
import { GitWarning, pushRefusals } from './git-warning.ts'

/** The attempt of an operation that makes the call. */
const attempt = {
  operationId: Id,
  lease: z.number().int().describe('Grows with each attempt; calls of an attempt before the last one are refused'),
  spaceId: Id,
}

const heldAttempt = {
  ...attempt,
  holdSeconds: z
    .number()
    .int()
    .min(1)
    .describe('Seconds for which the space and stored blobs are kept for the attempt, unless it ends before'),
}

/** The repository that a space shows. */
export const ShownRepository = z
  .object({
    url: z.string(),
    repoName: z.string().optional(),
    installationProvider: z.enum(['github', 'gitlab']).optional(),
    updatedAt: Timestamp,
  })
  .meta({ id: 'ShownRepository', description: 'The repository that a space shows' })

const GitSpace = z
  .object({
    organizationId: Id,
    revision: Id.describe('The main content'),
    isDeleted: z.boolean(),
    repository: ShownRepository.optional().describe('The repository that the space shows'),
    publication: z
      .object({
        url: z.string(),
        isPublic: z.boolean().describe('Everybody may read the site, and search engines show it'),
      })
      .optional()
      .describe('Where a published site shows the space, the most open one; absent without one'),
  })
  .meta({ id: 'GitSpace', description: 'A space, as git-worker needs it' })

/** The outcome of an operation in content, which records it in the transaction of its changes. */
export const GitOutcome = z
  .object({
    state: z
      .enum(['success', 'skipped', 'failure'])
      .describe('`failure`: a push was refused, and may be tried again; that outcome is not recorded'),
    revision: Id.describe('The new revision; main content when the operation changed nothing'),
    commit: z.string().optional(),
    changeRequest: Id.optional().describe('The change request that a push went into'),
    error: z
      .object({ code: z.enum(pushRefusals), message: z.string() })
      .optional()
      .describe('Reason why a push was refused'),
    main: Id.optional().describe('The main content that the commit has'),
    isPartial: z.boolean().describe('The commit also has changes of the branch that the content lacks'),
    warnings: z.array(GitWarning),
  })
  .meta({ id: 'GitOutcome', description: 'The outcome of a git operation' })

const applied = GitOutcome.optional().describe(
  'Present when an earlier attempt was applied: there is nothing left to do',
)

const Import = z
  .object({
    kind: z.literal('import'),
    isStandalone: z.boolean().describe('The revision does not become main content'),
    onlyFrom: Id.optional().describe('Skips the import unless this is main content'),
  })
  .meta({ id: 'AppliedImport', description: 'An import to apply' })

const Export = z
  .object({
    kind: z.literal('export'),
    revision: Id.describe('The revision that was exported'),
    isStandalone: z.boolean().default(false).describe('The content is not linked to the commit'),
    isPartial: z.boolean().describe('The commit also has changes of the branch that the content lacks'),
    warnings: z.array(GitWarning),
  })
  .meta({ id: 'AppliedExport', description: 'An export to record' })

const knownBlobs = z.array(
  z.object({ oid: z.string(), hash: Hash, size: z.number().int(), isDocument: z.boolean().default(false) }),
)

/** The content that a push replaces: main content, a new change request with a subject, or an existing change request. */
const pushTarget = {
  base: Id.optional().describe('The revision that the folder was read from'),
  force: z.boolean().describe('Replaces content that is not `base` any more'),
  subject: Subject.optional().describe('Subject of the change request to create'),
  changeRequest: Id.optional().describe('The change request to write to'),
}

const Push = z
  .object({ kind: z.literal('push'), upload: Id.describe('No longer needed once the push is applied'), ...pushTarget })
  .meta({ id: 'AppliedPush', description: 'A push of a folder to apply' })

/**
 * Milliseconds that git-worker waits for content to apply an operation. Then it repeats the call until it gets a reply, since an operation is
 * applied once, however often the call arrives.
 */
const applyTimeout = 15_000

/** Calls from git-worker to content. */
export const gitContentCalls = operations({
  findGitSpace: {
    summary: 'Get a space, for an actor only if they may use git on it',
    body: z.object({
      spaceId: z.string(),
      actor: Actor.optional().describe('The caller; absent when git-worker acts for itself'),
      use: z
        .enum(['read', 'manage', 'change'])
        .default('read')
        .describe('`manage` needs the right to set up git, `change` also a space that is not deleted'),
    }),
    reply: GitSpace,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  showGitRepository: {
    summary: 'Set the repository that a space shows',
    body: z.object({ spaceId: Id, repository: ShownRepository.nullable() }),
    reply: z.object({}),
  },
  listKnownGitBlobs: {
    summary: 'List the files and documents of main content, which an import need not upload',
    body: z.object(heldAttempt),
    reply: z.object({
      space: GitSpace,
      known: knownBlobs,
      applied,
    }),
    timeout: 30_000,
    errors: ['not_found', 'conflict'],
  },
  acceptPush: {
    summary: 'Check that a user may push an upload to a space now, and keep the upload for the push',
    body: z.object({
      spaceId: z.string(),
      actor: Actor,
      upload: Id.describe('Key of an upload of the actor'),
      ...pushTarget,
      changeRequest: z.string().optional().describe('Id or number of the change request to write to'),
    }),
    reply: z.object({
      organizationId: Id,
      changeRequest: Id.optional().describe('The change request to write to'),
    }),
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  openPush: {
    summary: 'Find the pack of a push, and the files and documents of main content that it need not upload',
    body: z.object({
      ...heldAttempt,
      upload: Id,
      createdBy: Id.describe('The user whose upload it is'),
    }),
    reply: z.object({
      space: GitSpace,
      pack: Hash.optional().describe('The blob of the upload; absent when there is none any more'),
      known: knownBlobs,
      applied,
    }),
    timeout: 30_000,
    errors: ['not_found', 'conflict'],
  },
  snapshotRevision: {
    summary: 'Store the content of a revision, or some of its documents, as a blob',
    body: z.object({
      ...heldAttempt,
      revision: Id.optional().describe('Main content unless given'),
      since: Id.optional().describe('Merges that came into main content since this revision are named'),
      documents: z.array(Hash).max(1000).optional().describe('Documents to store as a bundle in place of the content'),
    }),
    reply: z.object({
      space: GitSpace,
      revision: Id,
      blob: Hash.describe('A `RevisionSnapshot` as JSON, or a bundle, which the worker deletes'),
      count: z.number().int().describe('How many of the documents the bundle has, the first ones'),
      applied,
    }),
    timeout: 30_000,
    errors: ['not_found', 'conflict'],
  },
  applyGitOperation: {
    summary: 'Apply an import or a push, or record the commit of an export, once for each operation',
    body: z.object({
      ...heldAttempt,
      createdBy: Id,
      work: z.discriminatedUnion('kind', [Import, Export, Push]),
      commit: z.object({
        oid: z.string(),
        message: z.string(),
        ref: z.string(),
        url: z.string().optional(),
        createdByService: z.boolean(),
      }),
      manifest: Hash,
      discarded: z.array(Hash).max(1000).describe('Blobs of the operation that nothing needs any more'),
      repository: ShownRepository.optional().describe(
        'The repository that the space shows from now on; absent for a push',
      ),
    }),
    reply: z.object({ space: GitSpace, outcome: GitOutcome }),
    timeout: applyTimeout,
    errors: ['not_found', 'conflict'],
  },
  handOverGit: {
    summary: 'Hand over operations and synchronisations of the version that kept them in content',
    body: z.object({
      table: z.enum(['git_operations', 'git_syncs']),
      after: z.string().describe('Id of the last row that was handed over; empty for none'),
    }),
    reply: z.object({
      rows: z.array(z.record(z.string(), z.json())).describe('In the order of their ids; none at the end'),
    }),
    timeout: 30_000,
  },
})
