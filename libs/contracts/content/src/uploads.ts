import { z } from 'zod'
import { FileName, Id, text, Url, endpoints, inOrganization } from '@recto/contracts-shared'

const UploadUrl = z
  .object({
    object: z.literal('storage-signed-url'),
    url: Url.describe('Takes the bytes by `PUT` within an hour, without token; a repeated `PUT` replaces them'),
    key: Id.describe('Names the upload in `upload` of changes of content, for a day'),
  })
  .meta({ id: 'StorageUploadURL', description: 'A signed URL to upload a file to' })

/** Kinds of uploads of the published API. */
const uploadKinds = ['import_file', 'customization_font', 'organization_file'] as const

const UploadRequest = z
  .object({
    file: z
      .object({
        name: FileName,
        type: text({ max: 256 }).describe('What the caller says; a file gets the type that its bytes say'),
        size: z.number().int().min(0).describe('Bytes'),
      })
      .meta({ id: 'StorageFileMetadata', description: 'The file to upload' }),
    kind: z.enum(uploadKinds).describe('What the file is for; its key can be used for all of it'),
  })
  .meta({ id: 'StorageUploadRequest', description: 'The file to upload, and what it is for' })

/** Uploads of files that are larger than the body of a request may be. */
export const uploads = endpoints({
  generateStorageUploadURL: {
    route: 'POST /orgs/{organizationId}/storage/upload',
    summary: 'Create a signed URL to upload a file',
    description:
      '`PUT` exactly `file.size` bytes to `url`, then name `key` as `upload` in `insert_files` or `replace_file`, or as `storageKey` of a font: only you can use it, in the organization. The role `edit` on any of its spaces is enough, too. A file above the limit of the installation is a bad request (400).',
    body: UploadRequest,
    reply: UploadUrl,
    creates: 'resource',
    errors: ['not_found'],
    scope: 'space:write',
    access: { ...inOrganization('edit'), limited: 'checked' },
    records: ['storage.upload.created'],
    examples: [{ body: { file: { name: 'film.mp4', type: 'video/mp4', size: 1_048_576 }, kind: 'import_file' } }],
  },
})
