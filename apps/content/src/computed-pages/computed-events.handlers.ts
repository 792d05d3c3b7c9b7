import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import type { Transaction } from '@recto/database'
import { fetchFirst, implementReactions, type Reactions } from '@recto/service'
import {
  fetchLatestSpecification,
  fetchUnknownSpecifications,
  needsRefresh,
  recordSpecification,
  refreshComputed,
  type SpecCalls,
  type LatestSpecification,
} from '../editing/refresh-computed.ts'
import { findSpacesNaming, updateSpecStatus } from '../links/spec-references.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as specifications from './specifications.repository.ts'

/** The fields of events by which they name a specification. */
interface SpecEvent {
  organization: string
  slug: string
}

/** Follows the versions of specifications: updates links to them, and refreshes spaces with pages computed from them, each in its own transaction. */
export function computedReactions(specs: SpecCalls): Reactions {
  const follow = fetchFirst<SpecEvent, LatestSpecification>({
    fetch: ({ organization, slug }) => fetchLatestSpecification(specs, { organizationId: organization, slug }),
    handle: ({ organization, slug }, { tx, fetched }) => followSpecification(tx, { organization, slug }, fetched),
  })
  const refresh = fetchFirst<{ space: string }, LatestSpecification[]>({
    fetch: ({ space }, { db }) => fetchUnknownSpecifications(db, space, specs),
    handle: ({ space }, { tx, fetched }) => refreshComputed(tx, space, fetched),
  })
  const publishOutdated = (tx: Transaction, space: string) => tx.publish(contentEvents.computedPagesOutdated, { space })
  const refreshLater = async ({ space }: { space: string }, { tx }: { tx: Transaction }) => {
    if (await needsRefresh(tx, space)) await publishOutdated(tx, space)
  }
  return {
    ...implementReactions<'content'>()(contentEvents, {
      mainContentChanged: refreshLater,
      computedPagesOutdated: refresh,
      specificationRecorded: follow,
    }),
    ...implementReactions<'content'>()(lifecycleEvents, {
      spaceRestored: refreshLater,
      // The new organization has other specifications of the same names.
      spaceTransferred: refresh,
      async collectionTransferred({ spaces: ids }, { tx }) {
        for (const space of ids) await publishOutdated(tx, space)
      },
    }),
    ...implementReactions<'content'>()(openApiSpecEvents, { versionAdded: follow, specDeleted: follow }),
  }
}

/**
 * Records a specification; when that changes anything, it is fetched once more, so that the record is right in whatever order replies of
 * openapi-specs arrive. Then updates links to it and the spaces with pages computed from it.
 */
async function followSpecification(
  tx: Transaction,
  { organization, slug }: SpecEvent,
  latest: LatestSpecification,
): Promise<'again' | void> {
  if (await recordSpecification(tx, latest)) return 'again'
  await specifications.lockNames(tx, organization, 'alone')
  const naming = await spaces.findUndeleted(tx, organization, await findSpacesNaming(tx, slug))
  const ids = naming.map(({ id }) => id)
  await updateSpecStatus(tx, { spaces: ids, slug, status: latest.specification ? 'ok' : 'broken' })
  for (const space of ids) await tx.publish(contentEvents.computedPagesOutdated, { space })
}
