import { hashToken, type Actor } from '@recto/actor'
import { connectBus, serve } from '@recto/bus'
import { identityCalls } from '@recto/contracts'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'

/** A responder on the bus in place of identity: it resolves tokens from memory. */
export interface TokenResponder {
  add(token: string, actor: Actor): void
  /** Number of calls answered. */
  answered(): number
  stop(): Promise<void>
}

/** Starts the responder on a connection of identity. */
export async function aTokenResponder(natsUrl: string): Promise<TokenResponder> {
  const bus = await connectBus({ url: natsUrl, service: 'identity' })
  const actors = new Map<string, Actor>()
  const count = { answered: 0 }
  const { handlers } = feature<unknown>()(identityCalls, {
    async resolveToken({ body: { hash } }) {
      const actor = actors.get(hash)
      return actor ? { actor, tokenId: hash } : { actor: null }
    },
  })
  const serving = serve(bus, {
    ...{ prefix: 'rpc', operations: identityCalls, handlers, strict: true },
    context: () => void (count.answered += 1),
    log: createLog({ service: 'identity', level: 'silent' }),
  })
  await bus.connection.flush()
  return {
    add: (token, actor) => void actors.set(hashToken(token), actor),
    answered: () => count.answered,
    stop: async () => {
      await serving.stop()
      await bus.drain()
    },
  }
}
