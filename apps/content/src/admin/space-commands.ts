import { contentEvents } from '@recto/contracts-content-bus'
import { Failure } from '@recto/operation'
import { tableLine, type AdminCommand, type CommandContext } from '@recto/service'
import { lockProjection, resetProjection } from '../projection/main-projections.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { endRestorePeriod } from '../resources/trash.repository.ts'
import { restorePeriod } from '../resources/trash.rules.ts'
import { purge } from '../jobs/purge.ts'

/** `purge <space id>…`: purges deleted spaces before their restore period ends; content of theirs alone is freed an hour later. */
export const purgeSpaces: AdminCommand = async (ids, { db, transaction, print }) => {
  if (ids.length === 0) throw new Failure('invalid_request', 'purge must have the ids of deleted spaces.')
  const now = new Date()
  const spaceCount = await endRestorePeriod(db, ids, new Date(now.getTime() - restorePeriod - 1))
  if (spaceCount < ids.length)
    print(`${ids.length - spaceCount} of ${ids.length} spaces are not deleted, or there are none of these ids.`)
  print(`${await purge({ transaction, now })} spaces were purged.`)
}

/** `reindex [<space id>…]`: rebuilds search and links of these spaces, or of all spaces. */
export const reindexSpaces: AdminCommand = async (ids, context) => {
  let count = 0
  for await (const rows of ids.length > 0 ? findEach(context, ids) : spaces.eachBatch(context.db)) {
    for (const space of rows) await reindex(space, context)
    count += rows.length
  }
  context.print(`${count} spaces are indexed anew by the service.`)
}

/** Resets the projection and publishes `mainContentChanged`; the service then rebuilds it, at once or at its next start. */
async function reindex(space: { id: string; revision: string }, { transaction }: CommandContext): Promise<void> {
  await transaction(async tx => {
    await lockProjection(tx, space.id)
    await resetProjection(tx, space.id)
    await tx.publish(contentEvents.mainContentChanged, { space: space.id, from: null, to: space.revision })
  })
}

async function* findEach({ db, print }: CommandContext, ids: string[]) {
  for (const id of ids) {
    const space = await spaces.find(db, id)
    if (space) yield [space]
    else print(tableLine(id, 'not found'))
  }
}
