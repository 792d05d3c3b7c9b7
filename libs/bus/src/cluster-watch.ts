import type { JetStreamManager } from '@nats-io/jetstream'
import { PermissionViolationError, type NatsConnection } from '@nats-io/transport-node'
import { createDepartures } from './departures.rules.ts'

/** Milliseconds between two questions to the leader of the cluster. */
const interval = 4_000

/**
 * Leaves a server that the network has cut off from its cluster, for another one: it serves its clients on, but what they send reaches
 * only those that are connected to it, too. Does nothing with a server that has no cluster.
 */
export function watchCluster(
  connection: NatsConnection,
  { manager, notice }: { manager: JetStreamManager; notice(message: string, details: Record<string, unknown>): void },
): { stop(): void } {
  const departures = createDepartures()
  const check = async (): Promise<void> => {
    const server = connection.getServer()
    const isAnswered = await hasLeader(manager)
    // A connection that has changed its server meanwhile begins anew.
    if (!departures.isDue(isAnswered || server !== connection.getServer())) return
    notice('the NATS server has lost its cluster, trying another one', { server })
    await connection.reconnect()
  }
  const timer = setInterval(() => {
    if (connection.info?.cluster === undefined) return
    check().catch((error: unknown) => {
      if (isRefused(error)) clearInterval(timer)
    })
  }, interval).unref()
  return { stop: () => clearInterval(timer) }
}

async function hasLeader(manager: JetStreamManager): Promise<boolean> {
  try {
    await manager.getAccountInfo()
    return true
  } catch (error) {
    if (isRefused(error)) throw error
    return false
  }
}

/** Whether a request failed because its user may not send it, as users of NATS that a version before has written. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && [error, error.cause].some(each => each instanceof PermissionViolationError)
}
