import type { Secrets } from '@recto/operation'
import type { Bus, RequestMeta, RunOnce } from '@recto/bus'
import {
  markCarriedOut,
  markNotCarriedOut,
  runOnce,
  transact,
  type Db,
  type Signal,
  type Transaction,
} from '@recto/database'

/** Runs work in one database transaction, which also publishes events; they are signalled after the commit. */
export type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** Transactions of a request: one of an attempt at a request with an `Idempotency-Key` marks that request as carried out. */
export function requestWork(
  bus: Bus,
  db: Db,
  meta: Pick<RequestMeta, 'attempt' | 'beforeReply'>,
): { transaction: RunTransaction; releaseKey(): Promise<void> } {
  const { attempt } = meta
  return {
    transaction: work =>
      transact(db, signalBeforeReply(bus, meta), async tx => {
        if (attempt !== undefined) await markCarriedOut(tx, attempt)
        return work(tx)
      }),
    async releaseKey() {
      if (attempt !== undefined) await markNotCarriedOut(db, attempt)
    },
  }
}

/** Runs a request once for each `Idempotency-Key` and replays the stored reply: its headers as JSON, a line feed, its body. */
export function once(db: Db, secret: Secrets): RunOnce {
  return async (request, run) => {
    const stored = await runOnce(db, { request, secret }, async attempt => {
      const { headers, body } = await run(attempt)
      return Buffer.concat([Buffer.from(`${JSON.stringify(headers)}\n`), body])
    })
    const end = stored.indexOf('\n')
    const headers = JSON.parse(stored.toString('utf8', 0, end)) as Record<string, string>
    return { headers, body: stored.subarray(end + 1) }
  }
}

/** Delays the reply until the NATS server has the signals, so that a caller with the reply finds caches dropped. */
function signalBeforeReply(bus: Bus, { beforeReply }: Pick<RequestMeta, 'beforeReply'>): Signal {
  return ({ subject, id, payload }) => {
    bus.signal(subject, id, payload)
    beforeReply(bus.connection.flush().catch(() => undefined))
  }
}
