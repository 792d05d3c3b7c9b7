import { contentEvents } from '@recto/contracts-content-bus'
import { implementReactions } from '@recto/service'
import { recordFormerPaths } from './record-former-paths.ts'

/** Records the paths that a change of main content dropped; the catch-up job records the rest of a long history. */
export const formerPathReactions = implementReactions<'content'>()(contentEvents, {
  mainContentChanged: async ({ space }, { tx }) => void (await recordFormerPaths(tx, space)),
})
