import { Failure } from '@recto/operation'
import type { UploadRow } from './upload.entity.ts'

const hour = 3_600_000

/** Milliseconds for which the URL of an upload takes bytes. */
export const urlLifetime = hour
/** Milliseconds for which an upload can be used, and holds its bytes. */
export const uploadLifetime = 24 * hour

/** Milliseconds for which an upload is kept from the acceptance, or the last attempt, of the push that it is for. */
export const pushLifetime = 7 * 24 * hour

/** The user of an upload, and the organization of the space it is for. */
export interface UploadUse {
  userId: string
  organizationId: string
  now: Date
}

/** The reason why an upload cannot be used, as the end of a sentence; undefined when it can. Uploads of others count as missing. */
export function uploadFault(upload: UploadRow | undefined, use: UploadUse): string | undefined {
  const isOwn = upload?.createdBy === use.userId && upload.organizationId === use.organizationId
  if (!upload || !isOwn || upload.expiresAt <= use.now)
    return 'is no upload of yours in this organization, or has expired'
  return upload.hash === null ? 'is not complete: its bytes were not sent' : undefined
}

/** Throws `not_found` for an upload that the user does not have, `conflict` for one whose bytes were not sent. */
export function requireUpload(upload: UploadRow | undefined, use: UploadUse): void {
  const fault = uploadFault(upload, use)
  if (fault === undefined) return
  const isIncomplete = upload !== undefined && uploadFault({ ...upload, hash: '' }, use) === undefined
  throw new Failure(isIncomplete ? 'conflict' : 'not_found', `The upload ${fault}`)
}
