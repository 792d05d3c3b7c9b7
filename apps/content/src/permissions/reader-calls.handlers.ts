import { membershipIn } from '@recto/actor'
import { readerCalls } from '@recto/contracts-content-bus'
import { feature } from '@recto/operation'
import { viewerOf } from '../access/access.policy.ts'
import * as collections from '../resources/collections.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext } from '../shared/context.ts'

export const readerCallFeature = feature<BaseContext>()(readerCalls, {
  async findReadable({ body: { actor, organization, spaces: spaceIds, collections: collectionIds } }, { db }) {
    const membership = membershipIn(actor, organization)
    if (!membership) return { spaces: [], collections: [] }
    const viewer = viewerOf(actor, membership)
    const [readableSpaces, readableCollections] = await Promise.all([
      spaceIds.length > 0 ? spaces.findReadable(db, viewer, spaceIds) : [],
      collectionIds.length > 0 ? collections.findReadable(db, viewer, collectionIds) : [],
    ])
    return { spaces: readableSpaces.map(({ id, role }) => ({ id, role })), collections: readableCollections }
  },
})
