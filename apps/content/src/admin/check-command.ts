import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import type { Db } from '@recto/database'
import { tableLine, type AdminCommand, type CommandContext } from '@recto/service'
import * as changeRequestCounts from '../change-requests/counts.repository.ts'
import * as commentCounts from '../comments/counts.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as pdfs from '../pdf/pdfs.repository.ts'
import { findFaults, markUnnamed, findReferrers, readContentState, type ContentFaults } from './check-content.ts'

/**
 * `check [--mend]`: compares the content that revisions name with stored content, and stored counts with counted rows. With `--mend`, it
 * corrects counts, marks unnamed content as garbage, and forgets missing PDFs; other missing content can only come from a backup. Ends
 * with `conflict` when content is missing, or a fault was not mended.
 */
export function checkCommand(blobs: BlobStore): AdminCommand {
  return async (args, context) => {
    const isMending = args.includes('--mend')
    const { missing, unnamed } = findFaults(await readContentState(context.db, blobs))
    const lost = await reportMissing(missing, context, isMending)
    for (const { kind, hash } of unnamed) context.print(tableLine('unnamed', kind, hash))
    if (isMending) await markUnnamed(context.db, unnamed, new Date())
    const counts = (await checkSpaces(context, isMending)) + (await checkRows(context, isMending))
    const { print } = context
    const verb = isMending ? 'mended' : 'found'
    print(
      `${lost} pieces of content are missing; ${unnamed.length} unnamed ones and ${counts} wrong counts were ${verb}.`,
    )
    if (lost > 0) throw new Failure('conflict', 'Content is missing: restore it from a backup.')
    if (!isMending && unnamed.length + counts > 0) throw new Failure('conflict', 'Mend it with check --mend.')
  }
}

/** Reports missing content, forgets missing PDFs when mending, and resolves to the number of pieces that stay missing. */
async function reportMissing(
  missing: ContentFaults['missing'],
  { db, print }: CommandContext,
  isMending: boolean,
): Promise<number> {
  let lost = 0
  for (const { kind, hash } of missing) {
    const by = await findReferrers(db, hash)
    const isForgotten = isMending && by.length > 0 && by.every(each => each === 'PDF')
    if (isForgotten) await pdfs.forget(db, hash)
    else lost += 1
    print(tableLine(isForgotten ? 'forgotten' : 'missing', kind, hash, by.join(' ')))
  }
  return lost
}

/** The stored or counted change requests and comments of a space. */
type SpaceCounts = changeRequestCounts.ChangeRequestCounts & { comments: number }

async function countBySpace(db: Db, ids: string[]): Promise<SpaceCounts[]> {
  const comments = new Map((await commentCounts.countBySpace(db, ids)).map(({ id, comments }) => [id, comments]))
  const counts = await changeRequestCounts.countBySpace(db, ids)
  return counts.map(count => ({ ...count, comments: comments.get(count.id) ?? 0 }))
}

const countNames = ['comments', 'changeRequests', 'changeRequestsOpen', 'changeRequestsDraft'] as const

async function checkSpaces(context: CommandContext, isMending: boolean): Promise<number> {
  let wrong = 0
  for await (const rows of spaces.eachBatch(context.db)) {
    const ids = rows.map(({ id }) => id)
    const actualCounts = new Map((await countBySpace(context.db, ids)).map(counts => [counts.id, counts]))
    for (const space of rows) {
      const faults = countFaults(space, actualCounts.get(space.id))
      for (const fault of faults) context.print(tableLine('count', 'space', space.id, fault))
      wrong += faults.length
      if (isMending && faults.length > 0) await repairSpace(context, space.id)
    }
  }
  return wrong
}

function countFaults(stored: SpaceCounts, actual: SpaceCounts = stored): string[] {
  return countNames
    .filter(name => stored[name] !== actual[name])
    .map(name => `${name} is ${stored[name]} and should be ${actual[name]}`)
}

function repairSpace({ transaction }: CommandContext, id: string): Promise<void> {
  return transaction(async tx => {
    await spaces.lock(tx, id)
    const [counts] = await countBySpace(tx, [id])
    if (counts) await spaces.updateCounts(tx, id, omitId(counts))
  })
}

function omitId({ id: _id, ...counts }: SpaceCounts): Omit<SpaceCounts, 'id'> {
  return counts
}

async function checkRows({ db, transaction, print }: CommandContext, isMending: boolean): Promise<number> {
  const wrong = await commentCounts.findWrongCounts(db)
  for (const { kind, id, shown, counted } of wrong) {
    print(tableLine('count', kind, id, `is ${shown} and should be ${counted}`))
    if (isMending) await transaction(tx => commentCounts.repairCount(tx, { kind, id }))
  }
  return wrong.length
}
