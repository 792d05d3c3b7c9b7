import { contentEvents, lifecycleEvents } from '@recto/contracts'
import { implementEvents } from '@recto/service'
import { deleteProjection, lockProjection } from '../branches/projection/main-projections.repository.ts'
import { projectMain, type Projector } from '../branches/projection/project-main.ts'
import { projectLinks } from '../features/links/project-links.ts'
import { deleteSpace as deleteFromLinks } from '../features/links/references.repository.ts'
import { projectSearch } from '../features/search/project-search.ts'
import { deleteSpace as deleteFromSearch } from '../features/search/search-index.repository.ts'

/** What follows the main content of spaces; `publicUrl` is that of this installation. */
export function projectorsOf(publicUrl: string): readonly Projector[] {
  return [projectSearch, projectLinks(publicUrl)]
}

/** Brings search and links of a space to its main content. */
export function contentEventHandlers(publicUrl: string) {
  const projectors = projectorsOf(publicUrl)
  return {
    ...implementEvents<'content'>()(contentEvents, {
      async mainContentChanged({ space }, { tx }) {
        await projectMain(tx, space, projectors)
      },
    }),
    ...implementEvents<'content'>()(lifecycleEvents, {
      async spacePurged({ space }, { tx }) {
        // Waits for a projection in progress, whose rows would stay; a later one finds no space.
        await lockProjection(tx, space)
        await deleteFromSearch(tx, space)
        await deleteFromLinks(tx, space)
        await deleteProjection(tx, space)
      },
    }),
  }
}
