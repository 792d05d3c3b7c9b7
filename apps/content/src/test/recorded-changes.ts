import type { RecordedChange } from '@recto/contracts-shared'
import { query } from '@recto/database'
import type { z } from 'zod'
import { type ContentSetup, organization } from './content-setup.ts'

/** A change as the outbox carries it to the record. */
export type Recorded = z.output<typeof RecordedChange>

/** Changes that content has recorded about things with these ids, in order; of an organization, behind the change with a number. */
export async function recordedChanges(
  { service }: Pick<ContentSetup, 'service'>,
  about: Recorded['subject'] = {},
  { of = organization, after = 0 }: { of?: string; after?: number } = {},
): Promise<Recorded[]> {
  const rows = await query<{ payload: Recorded }>(
    service.db,
    `select payload from outbox where subject = 'events.content.recorded' and payload->>'organization' = $1
       and (payload->>'number')::int > $2 and payload->'subject' @> $3 order by (payload->>'number')::int`,
    [of, after, JSON.stringify(about)],
  )
  return rows.map(({ payload }) => payload)
}
