import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { markPublished } from '@recto/database'
import { createId } from '@recto/operation'
import { implementEvents } from '@recto/service'
import * as operations from '../operations/git-operations.repository.ts'
import { deletePreviews } from '../previews/follow-settings.ts'
import { lockSync } from './follow-sync.ts'
import * as syncs from './git-syncs.repository.ts'

/** Events only request a decision on the next operation; the decision reads the state of content at its time. */
export const contentEventHandlers = {
  ...implementEvents<'git-worker'>()(contentEvents, {
    mainContentChanged: ({ space }, { tx }) => syncs.requestDecision(tx, space),
  }),
  ...implementEvents<'git-worker'>()(lifecycleEvents, {
    async spaceRestored({ space }, { tx }) {
      const sync = await lockSync(tx, space)
      if (sync) await syncs.update(tx, sync, { askId: createId(), recheck: true })
    },
    async spacePurged({ space }, { tx }) {
      const sync = await lockSync(tx, space)
      const jobs = await operations.findOpenJobs(tx, space)
      for (const id of [...jobs, ...(sync ? [sync.id] : [])]) await markPublished(tx, id)
      await syncs.remove(tx, space)
      await deletePreviews(tx, space)
      await operations.deleteOf(tx, space)
    },
  }),
}
