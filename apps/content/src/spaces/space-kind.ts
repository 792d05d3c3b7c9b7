import * as events from './space-events.ts'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import { requireRead, requireSpaceIn } from './spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { spaceChanges, type SpaceUpdate } from './spaces.rules.ts'
import type { ResourceKind } from '../resources/resource-kind.ts'

/** Spaces as resources. */
export const spaceKind: ResourceKind<SpaceWithAcl, SpaceUpdate> = {
  type: 'space',
  isContainer: false,
  creatorMayBecomeAdmin: true,
  find: spaces.findWithAcl,
  lock: spaces.lockWithAcl,
  lockRow: spaces.lock,
  requireRead(actor, row) {
    const { space: resource, ...access } = requireRead(actor, row)
    return { resource, ...access }
  },
  requireIn: requireSpaceIn,
  planUpdate(space, update) {
    const changes = spaceChanges(space, update)
    return {
      fields: Object.keys(changes),
      defaultLevel: changes.defaultLevel,
      write: db => spaces.update(db, space.id, changes),
    }
  },
  publishUpdated: events.publishSpaceUpdated,
  recordPermissionChange: events.recordSpacePermissionChange,
  recordMove: events.recordSpaceMoved,
  publishTransferred: (tx, actor, { spaces: _spaces, ...space }) => events.publishSpaceTransferred(tx, actor, space),
}
