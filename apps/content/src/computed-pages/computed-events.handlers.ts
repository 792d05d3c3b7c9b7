import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import type { Transaction } from '@recto/database'
import { fetchFirst, implementReactions, type Reactions } from '@recto/service'
import {
  fetchLatestSpecification,
  askForUnknown,
  needsRefresh,
  recordSpecification,
  refreshComputed,
  type SpecCalls,
  type SpecificationAnswer,
} from '../editing/refresh-computed.ts'
import { spacesNaming, updateSpecStatus } from '../links/spec-references.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as specifications from './specifications.repository.ts'

/** A specification as its events name it. */
interface NamedSpec {
  organization: string
  slug: string
}

/** Follows the versions of specifications: links to them, and the spaces with pages that are computed from them, each in a transaction of its own. */
export function computedReactions(specs: SpecCalls): Reactions {
  const follow = fetchFirst<NamedSpec, SpecificationAnswer>({
    fetch: ({ organization, slug }) => fetchLatestSpecification(specs, { organizationId: organization, slug }),
    handle: ({ organization, slug }, { tx, fetched }) => followSpecification(tx, { organization, slug }, fetched),
  })
  const refresh = fetchFirst<{ space: string }, SpecificationAnswer[]>({
    fetch: ({ space }, { db }) => askForUnknown(db, space, specs),
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
      // The other organization has other specifications.
      spaceTransferred: refresh,
      async collectionTransferred({ spaces: ids }, { tx }) {
        for (const space of ids) await publishOutdated(tx, space)
      },
    }),
    ...implementReactions<'content'>()(openApiSpecEvents, { versionAdded: follow, specDeleted: follow }),
  }
}

/** Records a change first, and asks again: what is recorded last is then what the service said after it, in whatever order answers come. */
async function followSpecification(
  tx: Transaction,
  { organization, slug }: NamedSpec,
  answer: SpecificationAnswer,
): Promise<'again' | void> {
  if (await recordSpecification(tx, answer)) return 'again'
  await specifications.lockNames(tx, organization, 'alone')
  const naming = await spaces.findUndeleted(tx, organization, await spacesNaming(tx, slug))
  const ids = naming.map(({ id }) => id)
  await updateSpecStatus(tx, { spaces: ids, slug, status: answer.specification ? 'ok' : 'broken' })
  for (const space of ids) await tx.publish(contentEvents.computedPagesOutdated, { space })
}
