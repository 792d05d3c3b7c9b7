import { type Db, markPublished } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import type { z } from 'zod'
import * as handOvers from './hand-over.repository.ts'

type Row = Record<string, ReturnType<z.ZodType<z.core.util.JSONType>['parse']>>

/**
 * Reads a page of the git operations or synchronisations that the version before stored here. The first page ends all writing of them, so
 * that git-worker copies rows that no longer change, and withdraws their jobs, which git-worker dispatches again.
 */
export async function handOverPage(
  { db, transaction }: { db: Db; transaction: RunTransaction },
  table: handOvers.HandedOverTable,
  after: string,
): Promise<Row[]> {
  if (!(await handOvers.isHandedOver(db))) {
    await transaction(async tx => {
      await handOvers.endWriting(tx)
      for (const id of await handOvers.listOpenJobs(tx)) await markPublished(tx, id)
    })
  }
  return (await handOvers.listRows(db, table, after)) as Row[]
}
