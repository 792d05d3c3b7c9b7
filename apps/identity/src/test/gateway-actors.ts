import { concernedBy, hashToken, type Actor } from '@recto/actor'
import { busClient, onSignal } from '@recto/bus'
import { identityEvents, identityRpc } from '@recto/contracts-identity-bus'
import { createActors, type Actors } from '@recto/http'
import type { IdentitySetup } from './identity-setup.ts'

/** The actors as a gateway caches them, which drops them by the signals of identity. */
export async function gatewayActors({ gateway }: IdentitySetup): Promise<Actors<Actor>> {
  const { resolveToken } = busClient(gateway, identityRpc, { service: 'identity' })
  const actors = createActors<Actor>({
    hash: hashToken,
    resolve: hash => resolveToken({ body: { hash, knowsLimits: true } }),
    serialise: JSON.stringify,
  })
  onSignal(gateway, identityEvents.actorChanged, change => actors.drop(concernedBy(change)))
  await gateway.connection.flush()
  return actors
}
