import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import { implementEvents } from '@recto/service'
import { deleteSpace as deleteFormerPaths } from '../former-paths/former-paths.repository.ts'
import { needsRefresh, refreshComputed, type SpecCalls } from '../editing/refresh-computed.ts'
import { recordFormerPaths } from '../former-paths/record-former-paths.ts'
import { deleteProjection, lockProjection } from './main-projections.repository.ts'
import { projectMain, type ProjectionTools } from './project-main.ts'
import { projectLinks } from '../links/project-links.ts'
import { deleteSpace as deleteFromLinks } from '../links/references.repository.ts'
import { projectSearch } from '../search/project-search.ts'
import { deleteSpace as deleteFromSearch } from '../search/search-index.repository.ts'
import { noteSourceChange } from '../translations/translations.repository.ts'
import type { BaseContext } from '../shared/context.ts'

/** The projectors that follow the main content of spaces; `publicUrl` is that of this installation. */
export function projectionTools({ publicUrl, markdown }: Pick<BaseContext, 'publicUrl' | 'markdown'>): ProjectionTools {
  return { projectors: [projectSearch, projectLinks(publicUrl)], markdown }
}

/** In a transaction of its own, which may have to wait for the service of specifications: nothing else waits with it. */
async function refreshLater(tx: Transaction, space: string): Promise<void> {
  if (await needsRefresh(tx, space)) await tx.publish(contentEvents.computedPagesOutdated, { space })
}

/** The tools for following main content. */
interface FollowingTools {
  projection: ProjectionTools
  specs(): SpecCalls
}

/** Brings search, links and former paths of a space to its main content. */
export function contentEventHandlers({ projection, specs }: FollowingTools) {
  return {
    ...implementEvents<'content'>()(contentEvents, {
      async mainContentChanged({ space }, { tx }) {
        await projectMain(tx, space, projection)
        // The rest of a long history is recorded by the job that catches up.
        await recordFormerPaths(tx, space)
        await noteSourceChange(tx, space)
        await refreshLater(tx, space)
      },
      computedPagesOutdated: ({ space }, { tx }) => refreshComputed(tx, space, specs()),
    }),
    ...implementEvents<'content'>()(lifecycleEvents, {
      spaceRestored: ({ space }, { tx }) => refreshLater(tx, space),
      // The other organization has other specifications.
      spaceTransferred: ({ space }, { tx }) => refreshComputed(tx, space, specs()),
      async collectionTransferred({ spaces }, { tx }) {
        for (const space of spaces) await tx.publish(contentEvents.computedPagesOutdated, { space })
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
