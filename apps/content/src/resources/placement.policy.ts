import type { Actor, Role } from '@recto/actor'
import { type Failure, fieldFault } from '@recto/operation'
import { type EffectiveAccess, requireManage, resolveAccess } from '../access/access.policy.ts'
import type { CollectionWithAcl } from './collection.entity.ts'

/** The actor's access to the collection that `body.parent` names, in which they may create; throws `not_found` or `forbidden`. */
export function requireParent(
  actor: Actor,
  organization: string,
  collection: CollectionWithAcl | undefined,
): { role: Role; access: EffectiveAccess } {
  if (collection?.organizationId !== organization || collection.deletedAt) throw noSuchParent()
  const access = resolveAccess(actor, collection)
  if (access.role === null) throw noSuchParent()
  requireManage(access.role)
  return { role: access.role, access }
}

function noSuchParent(): Failure {
  return fieldFault('body.parent', 'is not a collection of the organization', 'not_found')
}
