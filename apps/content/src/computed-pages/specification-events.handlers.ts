import { contentEvents } from '@recto/contracts-content-bus'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import type { Transaction } from '@recto/database'
import { implementEvents } from '@recto/service'
import * as specifications from './specifications.repository.ts'
import { followSpecification, type SpecCalls } from '../editing/refresh-computed.ts'
import { spacesNaming, updateSpecStatus } from '../links/spec-references.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'

/** A specification as its events name it. */
interface NamedSpec {
  organization: string
  slug: string
}

/** Follows the versions of specifications: links to them, and the spaces with pages that are computed from them, each in a transaction of its own. */
export function specificationEventHandlers(specs: () => SpecCalls) {
  const follow = async ({ organization, slug }: NamedSpec, tx: Transaction) => {
    const isThere = await followSpecification(tx, { organizationId: organization, slug }, specs())
    await specifications.lockNames(tx, organization, 'alone')
    const named = await spaces.findUndeleted(tx, organization, await spacesNaming(tx, slug))
    const ids = named.map(({ id }) => id)
    await updateSpecStatus(tx, { spaces: ids, slug, status: isThere ? 'ok' : 'broken' })
    for (const space of ids) await tx.publish(contentEvents.computedPagesOutdated, { space })
  }
  return implementEvents<'content'>()(openApiSpecEvents, {
    versionAdded: (spec, { tx }) => follow(spec, tx),
    specDeleted: (spec, { tx }) => follow(spec, tx),
  })
}
