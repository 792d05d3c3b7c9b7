import { contentEvents } from '@recto/contracts-content-bus'
import { implementReactions } from '@recto/service'
import { noteSourceChange } from './translations.repository.ts'

/** Notes for the translations of a space that its main content has changed. */
export const sourceReactions = implementReactions<'content'>()(contentEvents, {
  mainContentChanged: ({ space }, { tx }) => noteSourceChange(tx, space),
})
