import type { Db } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { In, MoreThan, type EntitySchema, type FindOptionsWhere } from 'typeorm'

/** A place that drops what it keeps, a reader or an edge, for all replicas of this service together. */
export interface PlaceRow {
  /** Requests in a row that failed. */
  attempts: number
  /** When the next request may be sent: a replica that sends one puts it off for as long as it may take. */
  nextAttemptAt: Date
}

/**
 * Places as jobs: one is due while something waits for it, and its next attempt is. The end of the lease is the next attempt of another
 * replica.
 */
export function placeJobs<Row extends PlaceRow>({
  entity,
  key,
  keys,
  due,
  leaseMs,
}: {
  entity: EntitySchema<Row>
  /** The property that is the primary key, and its column. */
  key: keyof Row & string
  keys: readonly string[]
  /** SQL of the time from which a place may be asked; null for never. */
  due: string
  leaseMs: number
}): JobTable<Row> {
  const next = (time: number) => ({ nextAttemptAt: new Date(time) }) as Partial<Row>
  return {
    entity,
    key,
    isTaken: 'false',
    maxAttempts: Infinity,
    open: `job.${key} in (${keys.map(each => `'${each.replaceAll("'", "''")}'`).join(', ')})`,
    due,
    attemptsOf: ({ attempts }) => attempts,
    take: (_place, now) => next(now.getTime() + leaseMs),
    keep: now => next(now.getTime() + leaseMs),
    release: (_place, { now }) => next(now.getTime()),
    heldBy: place => ({ [key]: place[key], nextAttemptAt: place.nextAttemptAt }) as FindOptionsWhere<Row>,
  }
}

/**
 * Writes the rows of places, and ends the waiting of those that failed before: whoever starts the service may have put right why. Times are
 * whole milliseconds, as those of the process that takes a place are: one with a part of a millisecond would be due after now.
 */
export async function openPlaces<Row extends PlaceRow>(
  db: Db,
  { entity, key }: { entity: EntitySchema<Row>; key: keyof Row & string },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const fresh = { attempts: 0, nextAttemptAt: () => `date_trunc('milliseconds', now())` }
  const rows = keys.map(each => ({ [key]: each, ...fresh }))
  await db
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(rows as never)
    .orIgnore()
    .execute()
  const failing = { [key]: In([...keys]), attempts: MoreThan(0) } as FindOptionsWhere<Row>
  await db.update(entity, failing, fresh as never)
}
