import type { ConvertedSet } from '@recto/convert'
import type { Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import { generateKeyBetween } from 'fractional-indexing'
import type { SpaceRow } from '../resources/space.entity.ts'
import { addedRecords } from '../pages/added-pages.ts'
import { loadFileIndex, loadPageIndex } from '../pages/revision-index.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { insertDocuments } from '../content-store/content.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { ContentWriter } from './content-writer.ts'
import { advanceMain, writeChanges } from './write-revision.ts'
import { batches } from '../lists/batches.ts'

/** Documents written in one statement. */
const documentBatch = 64

/** Pages and files to add to content, below a page, or at the root when `page` is null. */
export interface Addition {
  page: string | null
  set: Pick<ConvertedSet, 'pages' | 'files'>
  createdBy: string
}

/**
 * Adds pages and files to main content or a change request in one revision, and returns its id, the pages, and the organization. The files must be in the blob store.
 * Throws as `lockFor`, and `not_found` when the page is gone.
 */
export async function addContent<Params extends { spaceId: string }>(
  tx: Transaction,
  { writer, params }: { writer: ContentWriter<Params>; params: Params },
  addition: Addition,
): Promise<{ revision: string; pages: PageRecord[]; organizationId: string }> {
  await lockContent(tx)
  const target = await writer.lockFor(tx, params, addition.createdBy)
  const added = await writeAddition(tx, target.revision, addition)
  await target.advance(added.revision)
  return { ...added, organizationId: target.organizationId }
}

/** Adds pages and files to a space that this transaction created, locked or not, and returns the id of its revision. */
export async function fillSpace(tx: Transaction, space: SpaceRow, set: Addition['set']): Promise<string> {
  await lockContent(tx)
  const before = await revisions.get(tx, space.revision)
  const { revision: to } = await writeAddition(tx, before, { page: null, set, createdBy: space.createdBy })
  await advanceMain(tx, space, { from: before.id, to })
  return to
}

/** The source of computed pages of a space. */
export interface SpecificationSource {
  type: 'builtin:openapi'
  props: { models: boolean; grouping?: 'by-tag' | 'by-operation' }
  dependencies: { spec: { ref: { kind: 'openapi'; spec: string } } }
}

/** Adds a page that is computed from a specification to a space that this transaction created, and returns the id of its revision. */
export async function fillWithComputed(tx: Transaction, space: SpaceRow, source: SpecificationSource): Promise<string> {
  await lockContent(tx)
  const before = await revisions.get(tx, space.revision)
  const siblings = (await loadPageIndex(tx, before)).childrenOf(null)
  const id = createId()
  const now = new Date().toISOString()
  const page: PageRecord = {
    id,
    type: 'computed',
    title: source.dependencies.spec.ref.spec,
    parent: null,
    computed: { ...source },
    order: generateKeyBetween(siblings.at(-1)?.order ?? null, null),
    createdAt: now,
    updatedAt: now,
  }
  const changes = { pages: new Map([[id, page]]), files: new Map(), createdBy: space.createdBy }
  const { revision: to } = await writeChanges(tx, before, changes)
  await advanceMain(tx, space, { from: before.id, to })
  return to
}

async function writeAddition(
  tx: Transaction,
  before: RevisionRow,
  { page, set, createdBy }: Addition,
): Promise<{ revision: string; pages: PageRecord[] }> {
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
  for (const documents of batches(added.documents, documentBatch)) await insertDocuments(tx, documents)
  const byId = <Row extends { id: string }>(records: Row[]) => new Map(records.map(record => [record.id, record]))
  const changes = { pages: byId(added.pages), files: byId(added.files), createdBy }
  const { revision } = await writeChanges(tx, before, changes)
  return { revision, pages: added.pages }
}

/** Returns a page that can have pages below it; throws `not_found` when it is missing, `conflict` when it is a link or a computed page. */
export function requireParent(page: PageRecord | undefined): PageRecord {
  if (!page) throw new Failure('not_found', 'There is no such page')
  if (page.type !== 'document' && page.type !== 'group')
    throw new Failure('conflict', 'Only documents and groups have pages below them')
  return page
}
