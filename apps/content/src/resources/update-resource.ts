import type { Actor } from '@recto/actor'
import { requireCanSetDefaultLevel } from '../access/access.policy.ts'
import { changePermissions, preventEscalation } from '../access/escalation.ts'
import * as grants from '../access/grants.repository.ts'
import type { Context } from '../shared/context.ts'
import { loadAclChain } from './acl-chain.repository.ts'
import { creatorGrantOnClose } from './grant-on-close.ts'
import {
  type ReadableResource,
  requireWritable,
  type Resource,
  type ResourceKind,
  type SettingsUpdate,
} from './resource-kind.ts'

/**
 * Updates the settings of a space or collection and returns the updated one; publishes the changed fields, if there are any. Throws
 * `forbidden` when the actor may not change them, or somebody would get a role above the actor's.
 */
export async function updateResource<Row extends Resource, Update extends SettingsUpdate>(
  context: Context,
  kind: ResourceKind<Row, Update>,
  { id, update }: { id: string; update: Update },
): Promise<Row> {
  const { actor } = context
  const { resource: before } = requireChangeable(kind, actor, { found: await kind.find(context.db, id, actor), update })
  const grant = await creatorGrantOnClose(context, { resource: before, next: update.defaultLevel })
  return changePermissions(context, async ({ tx, known }) => {
    const row = await kind.lock(tx, id, actor)
    const { resource, role } = requireChangeable(kind, actor, { found: row, update })
    const { fields, defaultLevel, write } = kind.planUpdate(resource, update)
    if (fields.length === 0) return resource
    await (defaultLevel === 'inherit'
      ? preventEscalation({
          known,
          resource: { ...resource, role },
          mayLower: true,
          loadAclChain: () => loadAclChain(tx, resource),
          write: () => write(tx),
        })
      : write(tx))
    if (grant) await grants.grantAtLeast(tx, grant)
    const { organizationId } = resource
    await kind.publishUpdated(tx, actor, { id, organizationId, fields })
    const users = grant ? [grant.subjectId] : []
    if (fields.includes('defaultLevel'))
      kind.recordPermissionChange(tx, { id, organizationId, users, teams: [], defaultLevel: true })
    return (await kind.find(tx, id, actor)) ?? resource
  })
}

function requireChangeable<Row extends Resource, Update extends SettingsUpdate>(
  kind: ResourceKind<Row, Update>,
  actor: Actor,
  { found, update }: { found: Row | undefined; update: Update },
): ReadableResource<Row> {
  const readable = requireWritable(kind, { actor }, found)
  requireCanSetDefaultLevel(readable.role, readable.resource, update.defaultLevel)
  return readable
}
