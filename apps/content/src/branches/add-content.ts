import type { ConvertedSet } from '@recto/convert'
import type { Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import { generateKeyBetween } from 'fractional-indexing'
import type { SpaceRow } from '../hierarchy/spaces/space.entity.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import { addedRecords } from '../pages/added-pages.ts'
import { loadFileIndex, loadPageIndex } from '../pages/revision-index.ts'
import { lockContent } from '../store/content/content-lock.repository.ts'
import { insertDocuments } from '../store/content/content.repository.ts'
import type { PageRecord } from '../store/revisions/records.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import { requireLive } from './writable-branch.ts'
import { advanceMain, writeChanges } from './write-revision.ts'

/** Documents written in one statement. */
const documentBatch = 64

/** Pages and files to add to the main content of a space, below a page or at the root. */
export interface Addition {
  spaceId: string
  page: string | null
  set: Pick<ConvertedSet, 'pages' | 'files'>
  createdBy: string
}

/**
 * Adds pages and files to main content in one revision, and returns its id. The files must be in the blob store. Throws `conflict`
 * when the space is locked or deleted meanwhile, `not_found` when it or the page is gone.
 */
export async function addToMain(tx: Transaction, { spaceId, page, set, createdBy }: Addition): Promise<string> {
  await lockContent(tx)
  const space = await spaces.lock(tx, spaceId)
  const before = space && (await revisions.find(tx, space.revision))
  if (!space || !before) throw new Failure('not_found', 'There is no such space')
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
  requireLive(space)
  return addAfter(tx, before, { spaceId, page, set, createdBy })
}

/** Adds pages and files to a space that the transaction made, locked or not, and returns the id of its revision. */
export async function fillSpace(tx: Transaction, space: SpaceRow, set: Addition['set']): Promise<string> {
  await lockContent(tx)
  const before = await revisions.find(tx, space.revision)
  if (!before) throw new Failure('internal', `The revision of space ${space.id} is gone`)
  return addAfter(tx, before, { spaceId: space.id, page: null, set, createdBy: space.createdBy })
}

/** Adds a page that is computed from a specification to a space that the transaction made, and returns the id of its revision. */
export async function fillWithComputed(
  tx: Transaction,
  space: SpaceRow,
  source: { dependencies: { spec: { ref: { spec: string } } } },
): Promise<string> {
  await lockContent(tx)
  const before = await revisions.find(tx, space.revision)
  if (!before) throw new Failure('internal', `The revision of space ${space.id} is gone`)
  const [id, now] = [createId(), new Date().toISOString()]
  const page: PageRecord = {
    ...{ id, type: 'computed', title: source.dependencies.spec.ref.spec, parent: null, computed: source },
    ...{ order: generateKeyBetween(null, null), createdAt: now, updatedAt: now },
  }
  const changes = { pages: new Map([[id, page]]), files: new Map(), createdBy: space.createdBy }
  const { revision: to } = await writeChanges(tx, before, changes)
  await advanceMain(tx, space.id, { from: before.id, to })
  return to
}

async function addAfter(tx: Transaction, before: RevisionRow, { page, set, ...of }: Addition): Promise<string> {
  const index = await loadPageIndex(tx, before)
  const files = await loadFileIndex(tx, before.filesRoot)
  const parent = page === null ? null : requireParent(index.get(page))
  const added = addedRecords(set, {
    parent,
    siblings: index.childrenOf(page),
    takenFiles: [...index.inOrder(), ...files.inOrder].flatMap(({ file, git }) => file ?? git?.path ?? []),
    now: new Date().toISOString(),
    newId: createId,
  })
  for (let at = 0; at < added.documents.length; at += documentBatch)
    await insertDocuments(tx, added.documents.slice(at, at + documentBatch))
  const byId = <Row extends { id: string }>(records: Row[]) => new Map(records.map(record => [record.id, record]))
  const changes = { pages: byId(added.pages), files: byId(added.files), createdBy: of.createdBy }
  const { revision: to } = await writeChanges(tx, before, changes)
  await advanceMain(tx, of.spaceId, { from: before.id, to })
  return to
}

/** A page that others can be below; throws `not_found` when it is missing, `conflict` when it is a link or a computed page. */
export function requireParent(page: PageRecord | undefined): PageRecord {
  if (!page) throw new Failure('not_found', 'There is no such page')
  if (page.type !== 'document' && page.type !== 'group')
    throw new Failure('conflict', 'Only documents and groups have pages below them')
  return page
}
