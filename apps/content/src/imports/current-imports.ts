import type { ImportRun } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'
import * as repository from './import-runs.repository.ts'
import { presentRuns } from './present-run.ts'

/** Imports of a space or change request that its own reply shows: so many, and hours since the end of one. */
const limits = { count: 20, hours: 24 }

/** The imports into a space, or into a change request of it, that are open or ended lately, as a field of its reply; none without them. */
export async function currentImports(
  of: { organizationId: string; spaceId: string; changeRequestId?: string },
  { db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>,
): Promise<{ imports?: z.input<typeof ImportRun>[] }> {
  const since = new Date(Date.now() - limits.hours * 3_600_000)
  const rows = await repository.listCurrent(db, { ...of, since, limit: limits.count })
  return rows.length === 0 ? {} : { imports: await presentRuns(rows, { db, publicUrl }) }
}
