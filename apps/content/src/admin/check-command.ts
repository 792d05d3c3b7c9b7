import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { tableLine, type AdminCommand, type CommandContext } from '@recto/service'
import { countOfSpaces, findWrongCounts, mendCount, type SpaceCounts } from '../branches/counts.repository.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import {
  faultsOf,
  markUnnamed,
  readContentState,
  revisionsNeeding,
  type ContentFaults,
} from '../store/check/check-content.ts'
import { listAll } from './space-commands.ts'

/**
 * `check [--mend]`: compares what revisions name with what is stored, and counts with what they count. Mends counts, and marks content
 * that nothing names as garbage; what is missing can only come from a backup. Ends with `conflict` when something is missing, or is wrong
 * and was not mended.
 */
export function checkCommand(blobs: BlobStore): AdminCommand {
  return async (args, context) => {
    const mend = args.includes('--mend')
    const { missing, unnamed } = faultsOf(await readContentState(context.db, blobs))
    for (const ref of missing) await reportMissing(ref, context)
    for (const { kind, hash } of unnamed) context.print(tableLine('unnamed', kind, hash))
    if (mend) await markUnnamed(context.db, unnamed, new Date())
    const counts = (await checkSpaces(context, mend)) + (await checkRows(context, mend))
    const { print } = context
    const verb = mend ? 'mended' : 'found'
    print(
      `${missing.length} pieces of content are missing; ${unnamed.length} unnamed ones and ${counts} wrong counts were ${verb}.`,
    )
    if (missing.length > 0) throw new Failure('conflict', 'Content is missing: restore it from a backup.')
    if (!mend && unnamed.length + counts > 0) throw new Failure('conflict', 'Mend it with check --mend.')
  }
}

async function reportMissing(
  { kind, hash }: ContentFaults['missing'][number],
  { db, print }: CommandContext,
): Promise<void> {
  const revisions = await revisionsNeeding(db, hash)
  const needing = revisions.map(({ id, spaceId }) => `${spaceId}/${id}`).join(' ')
  print(tableLine('missing', kind, hash, needing))
}

const shownCounts = ['comments', 'changeRequests', 'changeRequestsOpen', 'changeRequestsDraft'] as const

async function checkSpaces(context: CommandContext, mend: boolean): Promise<number> {
  let wrong = 0
  for await (const { id } of listAll(context)) {
    const faults = await countFaults(context, id)
    for (const fault of faults) context.print(tableLine('count', 'space', id, fault))
    wrong += faults.length
    if (mend && faults.length > 0) await mendSpace(context, id)
  }
  return wrong
}

async function countFaults({ db }: Pick<CommandContext, 'db'>, id: string): Promise<string[]> {
  const [shown, [counted]] = [await spaces.find(db, id), await countOfSpaces(db, [id])]
  if (!shown || !counted) return []
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
  const wrong = await findWrongCounts(db)
  for (const { kind, id, shown, counted } of wrong) {
    print(tableLine('count', kind, id, `is ${shown} and should be ${counted}`))
    if (mend) await transaction(tx => mendCount(tx, { kind, id }))
  }
  return wrong.length
}
