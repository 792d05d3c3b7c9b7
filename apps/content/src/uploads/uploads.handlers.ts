import { atLeast, roleBeyondResources, roleForbids } from '@recto/actor'
import { signUpload } from '@recto/blobs'
import { fontLimits, uploads } from '@recto/contracts-content'
import { recorded } from '@recto/contracts-shared'
import { createId, feature, fieldFault } from '@recto/operation'
import { forbiddenAround, viewerIn } from '../access/access.policy.ts'
import { hasEditableSpace } from '../resources/editable.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import * as repository from './uploads.repository.ts'
import { uploadLifetime, urlLifetime } from './uploads.rules.ts'

/** Bytes; the column is a signed integer of 32 bits. */
const maxColumnSize = 2 ** 31 - 1

export const uploadFeature = feature<BaseContext>()(uploads, {
  async generateStorageUploadURL({ params: { organizationId }, body: { file, kind } }, context) {
    const { signingSecret: secret, publicUrl, maxFileBytes } = context
    await requireCanUpload(context, organizationId)
    const maxSize = Math.min(maxFileBytes, kind === 'customization_font' ? fontLimits.bytes : maxColumnSize)
    if (file.size > maxSize) throw fieldFault('body.file.size', `must be at most ${maxSize}`)
    const id = createId()
    const createdAt = new Date()
    const after = (milliseconds: number) => new Date(createdAt.getTime() + milliseconds)
    const { name, type: contentType, size } = file
    await context.transaction(async tx => {
      await repository.insert(tx, {
        id,
        organizationId,
        createdBy: context.actor.userId,
        name,
        contentType,
        size,
        hash: null,
        createdAt,
        expiresAt: after(uploadLifetime),
      })
      tx.record(recorded('storage.upload.created', { organization: organizationId, details: { upload: id, size } }))
    })
    const url = signUpload({ secret, publicUrl, key: id, size, expiresAt: after(urlLifetime) })
    context.setLocation(url)
    return { object: 'storage-signed-url' as const, url, key: id }
  },
})

/** Throws unless the actor may edit some space; the space that uses the upload is checked later. */
async function requireCanUpload({ actor, db }: Context, organizationId: string): Promise<void> {
  const viewer = viewerIn(actor, organizationId)
  const isEditor = atLeast(roleBeyondResources(actor, organizationId), 'edit')
  if (!isEditor && !(await hasEditableSpace(db, viewer))) throw forbiddenAround(actor, roleForbids(viewer.role))
}
