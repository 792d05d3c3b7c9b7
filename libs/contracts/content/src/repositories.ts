import { z } from 'zod'
import { ExportState, Hash } from '@recto/contracts-git-worker-bus'
import { endpoints, Id, onResource, reads, Url } from '@recto/contracts-shared'

const { files, reusableContents, ...stateFields } = ExportState.shape

const RepositoryFile = files.element
  .extend({
    size: z.number().int().describe('Bytes'),
    downloadURL: Url.describe('Signed URL that expires'),
  })
  .meta({ id: 'RevisionRepositoryFile', description: 'A file of a revision, with its place in a repository' })

const RepositoryReusableContent = reusableContents.element.meta({
  id: 'RevisionRepositoryReusableContent',
  description: 'A reusable content of a revision, with its place in a repository',
})

const RevisionRepository = z
  .object({
    object: z.literal('revision-repository'),
    revision: Id,
    ...stateFields,
    files: z.array(RepositoryFile),
    reusableContents: z.array(RepositoryReusableContent),
  })
  .meta({ id: 'RevisionRepository', description: 'The content of a revision as the files of a repository have it' })

/** Documents of one request for their texts. */
export const maxRequestedDocuments = 500

const RepositoryDocument = z
  .object({
    id: Hash,
    text: z.string().optional().describe('Left out where the bytes are not UTF-8'),
    base64: z.string().optional().describe('The bytes where they are not UTF-8'),
  })
  .meta({ id: 'RevisionRepositoryDocument', description: 'A Markdown file, byte for byte' })

/** Reads of a revision for who writes it to the files of a repository. */
export const repositories = endpoints({
  getRevisionRepository: {
    route: 'GET /spaces/{spaceId}/revisions/{revisionId}/repository',
    summary: 'Get a revision as the files of a repository have it',
    description:
      'Pages, files and reusable contents with the paths that they have in a repository, the git objects that they were imported as, and the settings that Markdown has no place for: what an export by git decides with. Texts of pages are documents, and `listRevisionDocuments` has them.',
    reply: RevisionRepository,
    errors: ['not_found'],
    cache: { immutable: true },
    scope: 'space:read',
    access: onResource('read'),
  },
  listRevisionDocuments: {
    route: 'POST /spaces/{spaceId}/revisions/{revisionId}/repository/documents',
    summary: 'List texts of a revision, byte for byte',
    description:
      'The documents come in the order in which they are asked for, from the first one on as many as have 4 MB together, and one at least: ask again for the rest. One that the revision does not have answers 404.',
    body: z
      .object({ documents: z.array(Id).min(1).max(maxRequestedDocuments).describe('Ids of documents of the revision') })
      .meta({ id: 'RevisionDocumentsRequest', description: 'Which documents of a revision to list' }),
    reply: z
      .object({ documents: z.array(RepositoryDocument) })
      .meta({ id: 'RevisionDocuments', description: 'Documents of a revision' }),
    isIdempotent: true,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
    records: reads,
    examples: [{ body: { documents: ['{documentId}'] } }],
  },
})
