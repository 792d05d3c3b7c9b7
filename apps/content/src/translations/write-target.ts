import type { Db, Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import { advanceMain, writeChanges, writeRevision } from '../editing/write-revision.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { insertDocuments, nodeStore } from '../content-store/content.repository.ts'
import { diff, update } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { requireRunnable } from './find-translation.ts'
import type { MachineContent } from './machine-content.ts'
import type { MergedContent } from './merge-target.ts'
import type { TranslationRow } from './translation.entity.ts'

/** The input of writing the target. */
export interface TargetWrite {
  translation: TranslationRow
  source: RevisionRow
  base: RevisionRow
  /** The target that `merged` was made for. */
  target: RevisionRow
  machine: MachineContent
  merged: MergedContent | undefined
  createdBy: string
}

/** The result of writing the target. */
export interface WriteResult {
  /** The main content of the target, and what the next run compares with. */
  revision: string
  machineRevision: string
  /** Pages that it changed, and all that are translated. */
  changedPages: number
  allPages: number
}

/**
 * Writes the result of the run as a revision of the target, which becomes its main content, unless people have edited the target: then main
 * content becomes another one, with their edits. A run that changes nothing writes nothing. A locked target is written to, as merges are. Undefined
 * when the target has changed meanwhile.
 */
export async function writeTarget(tx: Transaction, write: TargetWrite): Promise<WriteResult | undefined> {
  const { translation, base, target, merged } = write
  await lockContent(tx)
  const space = await spaces.lock(tx, translation.targetSpaceId)
  requireRunnable({ translation, source: await spaces.find(tx, translation.sourceSpaceId), target: space })
  if (space?.revision !== target.id) return undefined
  const machineRevision = await writeMachine(tx, write)
  const main = { from: target.id, to: machineRevision }
  if (merged) main.to = await writeMerged(tx, write, merged)
  else if (target.id !== base.id) throw new Failure('internal', 'An edited target was not merged')
  if (main.to !== main.from) await advanceMain(tx, space, main)
  const { pagesRoot } = await revisions.get(tx, machineRevision)
  const differences = await diff<PageRecord>(nodeStore(tx), base.pagesRoot, pagesRoot)
  return {
    revision: main.to,
    machineRevision,
    changedPages: differences.filter(({ after }) => after !== undefined).length,
    allPages: (await loadPageIndex(tx, { spaceId: space.id, pagesRoot })).size,
  }
}

async function writeMachine(tx: Transaction, { base, source, machine, createdBy }: TargetWrite): Promise<string> {
  const store = nodeStore(tx)
  const pages = await update(store, base.pagesRoot, machine.pages)
  const reusable = await update(store, base.reusableRoot, machine.reusable)
  const { filesRoot, variables, configuration } = source
  const roots = { pagesRoot: pages.root, filesRoot, reusableRoot: reusable.root }
  const nodes = new Map([...pages.nodes, ...reusable.nodes])
  const maps = { ...roots, nodes }
  return writeRevision(tx, base, { maps, variables, configuration, git: null, createdBy })
}

async function writeMerged(
  tx: Transaction,
  { target, createdBy }: TargetWrite,
  { documents, pages, files, reusable, variables, configuration }: MergedContent,
): Promise<string> {
  if (documents.length > 0) await insertDocuments(tx, documents)
  const changes = { pages, files, reusable, variables, configuration, createdBy }
  return (await writeChanges(tx, target, changes)).revision
}

/** The target of a translation as it is now. */
export async function currentTarget(db: Db, { targetSpaceId }: TranslationRow): Promise<RevisionRow> {
  const space = await spaces.find(db, targetSpaceId)
  if (!space) throw new Failure('conflict', 'The target space of the translation is deleted')
  return revisions.get(db, space.revision)
}
