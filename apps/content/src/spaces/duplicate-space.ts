import type { Actor } from '@recto/actor'
import type { Transaction } from '@recto/database'
import * as revisions from '../revisions/revisions.repository.ts'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import { copyBeside } from './copy-beside.ts'
import { copyBases, copySpace } from './duplicate.rules.ts'

/** Duplicates a space, with the revisions that exports of the copy to the repositories of its source build on. Throws as `copyBeside` does. */
export async function duplicateSpace(tx: Transaction, actor: Actor, id: string): Promise<SpaceWithAcl> {
  const copy = await copyBeside(tx, actor, { id, make: copySpace })
  const bases = copyBases(await revisions.listSynchronised(tx, id), { spaceId: copy.id })
  for (const base of bases) await revisions.insert(tx, base)
  return copy
}
