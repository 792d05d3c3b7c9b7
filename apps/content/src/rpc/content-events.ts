import { contentEvents, lifecycleEvents } from '@recto/contracts'
import { implementEvents } from '@recto/service'
import { deleteSpace as deleteFormerPaths } from '../branches/former-paths/former-paths.repository.ts'
import { recordFormerPaths } from '../branches/former-paths/record-former-paths.ts'
import { deleteProjection, lockProjection } from '../branches/projection/main-projections.repository.ts'
import { projectMain, type ProjectionTools } from '../branches/projection/project-main.ts'
import { followMain, resumeSync } from '../features/git/sync-schedule.ts'
import { projectLinks } from '../features/links/project-links.ts'
import { deleteSpace as deleteFromLinks } from '../features/links/references.repository.ts'
import { projectSearch } from '../features/search/project-search.ts'
import { deleteSpace as deleteFromSearch } from '../features/search/search-index.repository.ts'
import type { BaseContext } from '../shared/context.ts'

/** What follows the main content of spaces; `publicUrl` is that of this installation. */
export function projectionTools({ publicUrl, markdown }: Pick<BaseContext, 'publicUrl' | 'markdown'>): ProjectionTools {
  return { projectors: [projectSearch, projectLinks(publicUrl)], markdown }
}

/** Brings search, links and former paths of a space to its main content, and the branch that it is exported to. */
export function contentEventHandlers(projection: ProjectionTools, gitOrganizationJobs: number) {
  return {
    ...implementEvents<'content'>()(contentEvents, {
      async mainContentChanged({ space }, { tx }) {
        await projectMain(tx, space, projection)
        // What is left of a long history is recorded by the job that catches up.
        await recordFormerPaths(tx, space)
        // Behind the projection, which takes long: an export locks the space.
        await followMain(tx, space, gitOrganizationJobs)
      },
    }),
    ...implementEvents<'content'>()(lifecycleEvents, {
      async spaceRestored({ space }, { tx }) {
        await resumeSync(tx, space, gitOrganizationJobs)
      },
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
