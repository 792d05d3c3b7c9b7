import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { requestRun } from './request-run.ts'
import * as runs from './translation-runs.repository.ts'
import type { Translator } from './translator.ts'
import * as translations from './translations.repository.ts'

const maxIntervalMs = 10_000

/** The tools for following sources. */
export interface FollowTools {
  db: Db
  transaction: RunTransaction
  /** Undefined without an engine. */
  translator: Translator | undefined
  /** Milliseconds that a source has to be quiet before its translations run; without them, only a request runs one. */
  followAfter: number | undefined
}

/** Runs translations whose source has changed since their last run; one that failed waits for the next change. Any number of replicas may run it. */
export function followSources({ db, transaction, translator, followAfter }: FollowTools): PeriodicWork[] {
  if (followAfter === undefined) return []
  const work: PeriodicWork = {
    name: 'follow sources of translations',
    every: Math.min(followAfter, maxIntervalMs),
    rows: {
      tables: ['translations'],
      untilDue: () => translations.untilOutdated(db, followAfter),
    },
    async run() {
      for (const id of await translations.findOutdated(db, followAfter)) {
        const run = await transaction(async tx => {
          const translation = await translations.lock(tx, id)
          if (!translation || (await runs.findOpen(tx, id))) return undefined
          return requestRun(tx, translation, translation.createdBy)
        })
        if (run) void translator?.run(run.id)
      }
    },
  }
  return [work]
}
