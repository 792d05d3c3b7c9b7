import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { implementReactions, type Reactions } from '@recto/service'
import { deleteSpace as deleteFormerPaths } from '../former-paths/former-paths.repository.ts'
import { followSpecifications } from '../editing/follow-specifications.ts'
import { projectLinks } from '../links/project-links.ts'
import { deleteSpace as deleteFromLinks } from '../links/references.repository.ts'
import { projectSearch } from '../search/project-search.ts'
import { deleteSpace as deleteFromSearch } from '../search/search-index.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { deleteProjection, lockProjection } from './main-projections.repository.ts'
import { projectMain, type ProjectionTools } from './project-main.ts'

/** The projectors that follow the main content of spaces; `publicUrl` is that of this installation. */
export function projectionTools({ publicUrl, markdown }: Pick<BaseContext, 'publicUrl' | 'markdown'>): ProjectionTools {
  return { projectors: [projectSearch, projectLinks(publicUrl), followSpecifications], markdown }
}

/** Brings search and links of a space to its main content, in one pass over the changes, and deletes the rows of a purged space. */
export function projectionReactions(projection: ProjectionTools): Reactions {
  return {
    ...implementReactions<'content'>()(contentEvents, {
      mainContentChanged: async ({ space }, { tx }) => void (await projectMain(tx, space, projection)),
    }),
    ...implementReactions<'content'>()(lifecycleEvents, {
      async spacePurged({ space }, { tx }) {
        // Waits for a projection in progress, whose rows would stay; a later one finds no space.
        await lockProjection(tx, space)
        await deleteFromSearch(tx, space)
        await deleteFromLinks(tx, space)
        await deleteFormerPaths(tx, space)
        await deleteProjection(tx, space)
      },
    }),
  }
}
