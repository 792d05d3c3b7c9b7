import { contentEvents } from '@recto/contracts'
import { implementEvents } from '@recto/service'
import { projectMain, type Projector } from '../branches/projection/project-main.ts'
import { projectLinks } from '../features/links/project-links.ts'
import { projectSearch } from '../features/search/project-search.ts'

/** What follows the main content of spaces; `publicUrl` is that of this installation. */
export function projectorsOf(publicUrl: string): readonly Projector[] {
  return [projectSearch, projectLinks(publicUrl)]
}

/** Brings search and links of a space to its main content. */
export function contentEventHandlers(publicUrl: string) {
  const projectors = projectorsOf(publicUrl)
  return implementEvents<'content'>()(contentEvents, {
    async mainContentChanged({ space }, { tx }) {
      await projectMain(tx, space, projectors)
    },
  })
}
