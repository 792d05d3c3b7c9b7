import type { Db, Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import type { GitSync, SpaceRow } from '../resources/space.entity.ts'
import { publishMainContentChanged } from '../spaces/space-events.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { ImportedMaps } from '../page-matching/import-maps.ts'
import { insertDocuments, insertNodes, nodeStore } from '../content-store/content.repository.ts'
import { update } from '../content-map/content-map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { GitCommit, RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { isSameContent } from '../revisions/revisions.rules.ts'
import { computeMap, type Declaration } from '../computed-pages/compute-map.ts'
import { batches } from '../lists/batches.ts'

/** The content of a new revision. */
export interface NewContent {
  maps: ImportedMaps
  /** The commit it comes from; null for an edit. */
  git: GitCommit | null
  configuration: RevisionRow['configuration']
  variables: RevisionRow['variables']
  /** Null for a revision that no user made. */
  createdBy: string | null
  /** The kind of revision; `edits` by default. */
  type?: RevisionRow['type']
  /** The second parent of a merge, beside the revision before it. */
  otherParent?: string
  mergedFrom?: string
  /** The declarations of computed pages, where the caller has read them already. */
  declared?: Declaration[]
}

/** Records to set by id; undefined deletes. */
export interface ContentChanges {
  pages: ReadonlyMap<string, PageRecord | undefined>
  files: ReadonlyMap<string, FileRecord | undefined>
  reusable?: ReadonlyMap<string, ReusableRecord | undefined>
}

/** The fields of a revision beside its changes; fields that are left out are those of the revision before it. */
export type RevisionFields = Pick<NewContent, 'createdBy' | 'type' | 'otherParent' | 'mergedFrom'> &
  Partial<Pick<NewContent, 'configuration' | 'variables' | 'git'>> & {
    /** The parent revision; by default the one that the changes are made to. */
    follows?: RevisionRow
  }

/** Writes a revision with these changes to another one; resolves to its id and the root of its map of pages. */
export async function writeChanges(
  db: Db,
  before: RevisionRow,
  { pages, files, reusable, follows = before, ...fields }: ContentChanges & RevisionFields,
): Promise<{ revision: string; pagesRoot: string }> {
  const store = nodeStore(db)
  const { configuration, variables } = before
  const newPages = await update(store, before.pagesRoot, pages)
  const newFiles = await update(store, before.filesRoot, files)
  const newReusable = await update(store, before.reusableRoot, reusable ?? new Map())
  const nodes = new Map([...newPages.nodes, ...newFiles.nodes, ...newReusable.nodes])
  const maps = { pagesRoot: newPages.root, filesRoot: newFiles.root, reusableRoot: newReusable.root, nodes }
  const revision = await writeRevision(db, follows, { configuration, variables, git: null, ...fields, maps })
  return { revision, pagesRoot: newPages.root }
}

/** Documents of computed pages written in one statement; they are many and small. */
const computedBatch = 64

/** Writes a revision with this content after another one, and returns its id; content that equals that of `before` adds none, and returns the id of `before`. */
export async function writeRevision(db: Db, before: RevisionRow, content: NewContent): Promise<string> {
  const { maps, type = 'edits', otherParent, mergedFrom = null, declared, ...fields } = content
  const { nodes, ...roots } = maps
  const computed = await computeMap(db, before, { pagesRoot: roots.pagesRoot, nodes, declared })
  const revision: RevisionRow = {
    id: createId(),
    spaceId: before.spaceId,
    type,
    mergedFrom,
    mainNumber: null,
    mainSince: null,
    parents: [before.id, ...(otherParent === undefined ? [] : [otherParent])],
    ...roots,
    computedRoot: computed.root,
    ...fields,
    createdAt: new Date(),
  }
  if (isSameContent(before, revision)) return before.id
  for (const documents of batches(computed.documents, computedBatch)) await insertDocuments(db, documents)
  await insertNodes(db, new Map([...nodes, ...computed.nodes]))
  await revisions.insert(db, revision)
  return revision.id
}

/**
 * Moves the main content of a space to another revision, and records the repository it came from, if any. The caller must hold the lock of
 * the space's row. Throws `conflict` when main content is no longer at `from`.
 */
export async function advanceMain(
  tx: Transaction,
  space: Pick<SpaceRow, 'id' | 'organizationId'>,
  move: { from: string; to: string; gitSync?: GitSync },
): Promise<void> {
  const isMoved = await spaces.moveRevision(tx, space.id, move)
  const { from, to } = move
  if (!isMoved && from !== to) throw new Failure('conflict', 'The main content has changed meanwhile')
  if (from === to) return
  await revisions.appendToMain(tx, { from, to })
  await publishMainContentChanged(tx, space, { from, to })
}
