import { type Db, markPublished } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import type { z } from 'zod'
import * as handOvers from './hand-over.repository.ts'

type Row = Record<string, ReturnType<z.ZodType<z.core.util.JSONType>['parse']>>

/**
 * A page of the operations or synchronisations that the version before kept here. The first page ends all writing of them, so that git-worker
 * copies what does not change any more, and withdraws their jobs, which git-worker dispatches again.
 */
export async function handOverPage(
  { db, transaction }: { db: Db; transaction: RunTransaction },
  table: handOvers.HandedOverTable,
  after: string,
): Promise<Row[]> {
  if (!(await handOvers.isHandedOver(db))) {
    await transaction(async tx => {
      await handOvers.endWriting(tx)
      for (const id of await handOvers.openJobs(tx)) await markPublished(tx, id)
    })
  }
  return (await handOvers.listRows(db, table, after)) as Row[]
}
