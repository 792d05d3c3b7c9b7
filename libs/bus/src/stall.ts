import type { Bus } from './connection.ts'
import { raiseReplicas, recreateStream, type StreamName } from './streams.ts'

/** Milliseconds between two checks. */
const interval = 5_000

interface StallWatch {
  stream: StreamName
  log: { warn(details: object, message: string): void }
}

/**
 * Recreates a stream that reports twice in a row that messages wait for a consumer while it delivers none: a server that
 * lost a stream's files, or is still deleting its predecessor, stays in that state until it is restarted. A stream that got too few replicas,
 * because a server of the cluster was away, gets the others.
 */
export function watchStall(bus: Bus, { stream, log }: StallWatch): { stop(): void } {
  let before: string | undefined
  const check = async (): Promise<void> => {
    const { created, delivered, num_pending, num_waiting, num_ack_pending, cluster } = await bus.manager.consumers.info(
      stream,
      bus.service,
    )
    const replicas = 1 + (cluster?.replicas ?? []).length
    if (cluster && replicas < bus.streamReplicas) await raiseReplicas(bus, stream)
    const stalled = num_pending > 0 && num_waiting > 0 && num_ack_pending === 0
    const position = stalled ? `${created} ${delivered.consumer_seq}` : undefined
    if (position === undefined || position !== before) return void (before = position)
    before = undefined
    await recreateStream(bus, stream)
    log.warn({ stream, waiting: num_pending }, 'the stream delivered none of its messages and was recreated')
  }
  // `consume` recreates a consumer that is gone.
  const timer = setInterval(() => void check().catch(() => undefined), interval).unref()
  return { stop: () => clearInterval(timer) }
}
