import type { Role } from '@recto/actor'
import type { Transaction } from '@recto/database'
import * as grants from '../access/grants.repository.ts'
import { userGrant } from '../access/grants.rules.ts'
import type { ResourceKind } from './resource-kind.ts'

interface KeptAccess {
  resource: { id: string; organizationId: string }
  /** The user who would be shut out, and the role that they get; undefined where nobody would be. */
  grant: { user: string; role: Role } | undefined
  isDefaultLevelChanged: boolean
}

/** Grants a role to a user who would be shut out of a resource, and records which of its permissions changed, if any did. */
export async function keepAccess(
  tx: Transaction,
  kind: Pick<ResourceKind, 'type' | 'recordPermissionChange'>,
  { resource: { id, organizationId }, grant, isDefaultLevelChanged }: KeptAccess,
): Promise<void> {
  if (grant) await grants.grantAtLeast(tx, userGrant(kind.type, { id, organizationId }, grant))
  if (!grant && !isDefaultLevelChanged) return
  const users = grant ? [grant.user] : []
  kind.recordPermissionChange(tx, { id, organizationId, users, teams: [], defaultLevel: isDefaultLevelChanged })
}
