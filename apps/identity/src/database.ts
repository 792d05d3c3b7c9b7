import type { DatabaseOptions } from '@recto/database'
import { CreateIdentity1763600000000 } from './migrations/1763600000000-create-identity.ts'
import { People1763700000000 } from './migrations/1763700000000-people.ts'
import { OutboxTrace1764000000000 } from './migrations/1764000000000-outbox-trace.ts'
import { MemberEntity, OrganizationEntity } from './organizations/organization.entity.ts'
import { TokenEntity } from './tokens/token.entity.ts'
import { UserEntity } from './users/user.entity.ts'

/** The database of identity. */
export function identityDatabase(url: string, poolSize = 10): DatabaseOptions {
  return {
    url,
    poolSize,
    entities: [UserEntity, TokenEntity, OrganizationEntity, MemberEntity],
    migrations: [CreateIdentity1763600000000, People1763700000000, OutboxTrace1764000000000],
  }
}
