import { packBundle } from '@recto/blobs'
import type { RevisionSnapshot } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import type { z } from 'zod'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { readFirstDocuments } from './revision-documents.ts'
import { stateOf } from './revision-state.ts'

type Snapshot = z.input<typeof RevisionSnapshot>

/** Merges that the message of a commit names. */
const maxMerges = 50

/** Stores the content of a revision with its history as a blob, for an hour; resolves to its hash. */
export async function storeSnapshot(
  { db, blobs, transaction }: Pick<BaseContext, 'db' | 'blobs' | 'transaction'>,
  revision: RevisionRow,
  since: string | undefined,
): Promise<string> {
  const merges = await mergesUpTo(db, revision, since)
  const mergedRequests = await changeRequests.findByIds(
    db,
    [revision, ...merges].flatMap(({ mergedFrom }) => mergedFrom ?? []),
  )
  const nameOf = (merge: RevisionRow) =>
    mergedRequests.flatMap(({ id, number, subject }) => (id === merge.mergedFrom ? [{ number, subject }] : []))
  const [merged] = nameOf(revision)
  const snapshot: Snapshot = {
    version: 1,
    state: await stateOf(db, revision),
    createdAt: revision.createdAt.toISOString(),
    ...(revision.git && { commit: revision.git.oid }),
    synchronised: (await revisions.listSynchronised(db, revision.spaceId)).flatMap(synchronisation),
    ...(merged && { merged }),
    merges: merges.flatMap(nameOf),
    editor: (merges[0] ?? revision).createdBy,
  }
  const { hash } = await blobs.put(Buffer.from(JSON.stringify(snapshot)))
  await transaction(tx => markGarbage(tx, [{ kind: 'blob', hash }], new Date()))
  return hash
}

/** Lists the merges after revision `sinceId` up to a revision; without `sinceId` that of the revision alone. */
async function mergesUpTo(db: Db, revision: RevisionRow, sinceId: string | undefined): Promise<RevisionRow[]> {
  const since = sinceId === undefined ? undefined : (await revisions.find(db, sinceId))?.mainNumber
  const upTo = revision.mainNumber ?? 1
  return revisions.listMerges(db, revision.spaceId, { after: since ?? upTo - 1, upTo, limit: maxMerges })
}

function synchronisation({ id, git, configuration, createdAt }: RevisionRow): Snapshot['synchronised'] {
  if (!git || !configuration) return []
  const { oid: commit, ref, isPartial = false } = git
  return [{ revision: id, commit, ref, root: configuration.root, isPartial, createdAt: createdAt.toISOString() }]
}

/** Stores the first documents of a list as a bundle, up to a size, and one at least. Throws `not_found` for one that is not stored. */
export async function storeBundle(
  { db, blobs }: Pick<BaseContext, 'db' | 'blobs'>,
  documents: string[],
): Promise<{ blob: string; count: number }> {
  const firstDocuments = await readFirstDocuments(db, documents)
  const { hash } = await blobs.put(packBundle(firstDocuments))
  return { blob: hash, count: firstDocuments.length }
}
