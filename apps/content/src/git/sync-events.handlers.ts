import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { implementReactions, type Reactions } from '@recto/service'
import { followMain, resumeSync } from './sync-schedule.ts'

/** Exports main content to the branch that a space is synchronised with; `limit` operations of an organization may be at work. */
export function syncReactions(limit: number): Reactions {
  return {
    ...implementReactions<'content'>()(contentEvents, {
      mainContentChanged: ({ space }, { tx }) => followMain(tx, space, limit),
    }),
    ...implementReactions<'content'>()(lifecycleEvents, {
      spaceRestored: ({ space }, { tx }) => resumeSync(tx, space, limit),
    }),
  }
}
