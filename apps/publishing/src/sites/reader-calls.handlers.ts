import { membershipIn } from '@recto/actor'
import { siteReaderCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { listSeenOf } from './site-counts.repository.ts'

export const siteReaderCallFeature = feature<BaseContext>()(siteReaderCalls, {
  async findReadableSites({ body: { actor, organization, sites } }, { db }) {
    const membership = membershipIn(actor, organization)
    if (!membership) return { sites: [] }
    return { sites: await listSeenOf(db, { ...membership, organization, user: actor.userId }, sites) }
  },
})
