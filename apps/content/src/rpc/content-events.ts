import { contentEvents } from '@recto/contracts'
import { implementEvents } from '@recto/service'
import { projectMain, type Projector } from '../branches/projection/project-main.ts'
import { projectSearch } from '../features/search/project-search.ts'

/** What follows the main content of spaces. */
export const projectors: readonly Projector[] = [projectSearch]

/** Brings search and links of a space to its main content. */
export const contentEventHandlers = implementEvents<'content'>()(contentEvents, {
  async mainContentChanged({ space }, { tx }) {
    await projectMain(tx, space, projectors)
  },
})
