import type { Adapter } from 'oidc-provider'
import { createAccessTokenAdapter } from './access-token-adapter.ts'
import { createArtifactAdapter } from './artifact-adapter.ts'
import { createClientAdapter } from './client-adapter.ts'
import { createGrantAdapter } from './grant-adapter.ts'
import type { PartialAdapter } from './partial-adapter.ts'
import { createSessionAdapter } from './session-adapter.ts'

const own: Partial<Record<string, () => PartialAdapter>> = {
  AccessToken: createAccessTokenAdapter,
  Client: createClientAdapter,
  Grant: createGrantAdapter,
  Session: createSessionAdapter,
}

/** The storage of a kind of objects in Postgres: none of their values is stored in plain. */
export function createAdapter(kind: string): Adapter {
  const adapter = own[kind]?.() ?? createArtifactAdapter(kind)
  const missing = (name: string) => () => Promise.reject(new Error(`${kind} has no ${name}`))
  return {
    findByUserCode: missing('findByUserCode'),
    findByUid: missing('findByUid'),
    consume: missing('consume'),
    revokeByGrantId: missing('revokeByGrantId'),
    ...adapter,
  }
}
