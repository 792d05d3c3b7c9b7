import { query, type Db } from '@recto/database'
import { eventually } from '@recto/testing'
import { expect } from '@jest/globals'

/** Waits until content has reacted to every event, or to those of a space. */
export async function handledEvents(db: Db, spaceId?: string): Promise<void> {
  await eventually(async () =>
    expect(
      await query(
        db,
        `select subject from outbox where subject like 'events.%' and ($1::text is null or payload->>'space' = $1)
           and 'content' = any(consumers) and not 'content' = any(acknowledged_by)
         union all select subject from event_reactions where ($1::text is null or payload->>'space' = $1)`,
        [spaceId ?? null],
      ),
    ).toEqual([]),
  )
}
