import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import type { Db } from '@recto/database'
import { tableLine, type AdminCommand, type CommandContext } from '@recto/service'
import * as changeRequestCounts from '../change-requests/counts.repository.ts'
import * as commentCounts from '../comments/counts.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as pdfs from '../pdf/pdfs.repository.ts'
import { faultsOf, markUnnamed, findReferrers, readContentState, type ContentFaults } from './check-content.ts'

/**
 * `check [--mend]`: compares what revisions name with what is stored, and counts with what they count. Mends counts, marks content that
 * nothing names as garbage, and forgets PDFs that are missing; anything else that is missing can only come from a backup. Ends with
 * `conflict` when something is missing, or is wrong and was not mended.
 */
export function checkCommand(blobs: BlobStore): AdminCommand {
  return async (args, context) => {
    const mend = args.includes('--mend')
    const { missing, unnamed } = faultsOf(await readContentState(context.db, blobs))
    const lost = await reportMissing(missing, context, mend)
    for (const { kind, hash } of unnamed) context.print(tableLine('unnamed', kind, hash))
    if (mend) await markUnnamed(context.db, unnamed, new Date())
    const counts = (await checkSpaces(context, mend)) + (await checkRows(context, mend))
    const { print } = context
    const verb = mend ? 'mended' : 'found'
    print(
      `${lost} pieces of content are missing; ${unnamed.length} unnamed ones and ${counts} wrong counts were ${verb}.`,
    )
    if (lost > 0) throw new Failure('conflict', 'Content is missing: restore it from a backup.')
    if (!mend && unnamed.length + counts > 0) throw new Failure('conflict', 'Mend it with check --mend.')
  }
}

/** Resolves to the number of pieces that stay missing. */
async function reportMissing(
  missing: ContentFaults['missing'],
  { db, print }: CommandContext,
  mend: boolean,
): Promise<number> {
  let lost = 0
  for (const { kind, hash } of missing) {
    const by = await findReferrers(db, hash)
    const isForgotten = mend && by.length > 0 && by.every(each => each === 'PDF')
    if (isForgotten) await pdfs.forget(db, hash)
    else lost += 1
    print(tableLine(isForgotten ? 'forgotten' : 'missing', kind, hash, by.join(' ')))
  }
  return lost
}

/** The counts of change requests and comments that a space shows. */
type SpaceCounts = changeRequestCounts.ChangeRequestCounts & { comments: number }

async function countOfSpaces(db: Db, ids: string[]): Promise<SpaceCounts[]> {
  const comments = new Map((await commentCounts.countBySpace(db, ids)).map(({ id, comments }) => [id, comments]))
  const counts = await changeRequestCounts.countBySpace(db, ids)
  return counts.map(counted => ({ ...counted, comments: comments.get(counted.id) ?? 0 }))
}

const shownCounts = ['comments', 'changeRequests', 'changeRequestsOpen', 'changeRequestsDraft'] as const

async function checkSpaces(context: CommandContext, mend: boolean): Promise<number> {
  let wrong = 0
  for await (const rows of spaces.eachBatch(context.db)) {
    const ids = rows.map(({ id }) => id)
    const counted = new Map((await countOfSpaces(context.db, ids)).map(counts => [counts.id, counts]))
    for (const space of rows) {
      const faults = countFaults(space, counted.get(space.id))
      for (const fault of faults) context.print(tableLine('count', 'space', space.id, fault))
      wrong += faults.length
      if (mend && faults.length > 0) await mendSpace(context, space.id)
    }
  }
  return wrong
}

function countFaults(shown: SpaceCounts, counted: SpaceCounts = shown): string[] {
  return shownCounts
    .filter(name => shown[name] !== counted[name])
    .map(name => `${name} is ${shown[name]} and should be ${counted[name]}`)
}

function mendSpace({ transaction }: CommandContext, id: string): Promise<void> {
  return transaction(async tx => {
    await spaces.lock(tx, id)
    const [counted] = await countOfSpaces(tx, [id])
    if (counted) await spaces.updateCounts(tx, id, onlyCounts(counted))
  })
}

function onlyCounts({ id: _id, ...counts }: SpaceCounts): Omit<SpaceCounts, 'id'> {
  return counts
}

async function checkRows({ db, transaction, print }: CommandContext, mend: boolean): Promise<number> {
  const wrong = await commentCounts.findWrongCounts(db)
  for (const { kind, id, shown, counted } of wrong) {
    print(tableLine('count', kind, id, `is ${shown} and should be ${counted}`))
    if (mend) await transaction(tx => commentCounts.repairCount(tx, { kind, id }))
  }
  return wrong.length
}
