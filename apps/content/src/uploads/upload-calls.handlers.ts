import { uploadCalls } from '@recto/contracts-content-bus'
import { Failure, feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import * as uploads from './uploads.repository.ts'

export const uploadCallFeature = feature<BaseContext>()(uploadCalls, {
  async completeUpload({ body: { key, hash, size } }, { transaction, blobs }) {
    const isRecorded = await transaction(async tx => {
      await lockContent(tx)
      const upload = await uploads.lock(tx, key)
      const now = new Date()
      const release = (released: string) => markGarbage(tx, [{ kind: 'blob', hash: released }], now)
      if (!upload || upload.expiresAt <= now || upload.size !== size) {
        await release(hash)
        return false
      }
      // The blob was put before the lock, and the sweep of garbage could have freed it meanwhile.
      if (!(await blobs.has(hash))) throw new Failure('unavailable', 'The file was freed meanwhile', { retryAfter: 1 })
      if (upload.hash !== null && upload.hash !== hash) await release(upload.hash)
      await uploads.setHash(tx, key, hash)
      return true
    })
    if (!isRecorded) throw new Failure('not_found', 'There is no such upload, or it has expired')
    return {}
  },
})
