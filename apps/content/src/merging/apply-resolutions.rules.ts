import type { NewDocument } from '../content-store/new-document.ts'
import { FileDraft } from '../pages/file-draft.ts'
import { filePath, reusableFile } from '../pages/repository-files.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { Choices } from './choices.ts'
import type { Content, DetectedConflict, MergeInput, RecordChanges } from './conflict.ts'
import { mergeFile, mergeReusable } from './merge-file.rules.ts'
import { mergePage, type MergedPage } from './merge-page.rules.ts'
import { type LocatedRecord, type MergedRecord, sideEditingDeleted } from './merge-record.rules.ts'
import { mergeConfiguration, mergeVariables } from './merge-values.rules.ts'
import { MergedDocuments } from './merged-documents.ts'
import { MergedTree } from './merged-tree.ts'
import { placePages } from './place-pages.rules.ts'
import {
  findFileCollisions,
  findSlugCollisions,
  pageFiles,
  pathConflict,
  separateFiles,
  separateSlugs,
  type PathOwners as KindDraft,
} from './separate-paths.rules.ts'
import { isSame, type SideDifferences, type Sides, sidesById } from './three-way.ts'

/** The outcome of applying resolutions. */
export interface AppliedResolutions {
  content: Content
  /** The conflicts of structure that these choices lead to: pages whose parent is deleted, cycles, same paths. */
  conflicts: DetectedConflict[]
  /** The faults of the Markdown that resolutions give pages, by page. */
  textFaults: ReadonlyMap<string, string>
}

/**
 * Runs the second pass of a merge: makes the content with the side, or the text, chosen for each conflict. The tree is well-formed and
 * paths are unique whatever is chosen. Also returns the conflicts of structure that the choices cause, and the faults of the texts that are
 * given.
 */
export function applyResolutions(input: MergeInput, choices: Choices): AppliedResolutions {
  const documents = new MergedDocuments(input.documents, input.mergedTexts)
  const files = mergeEach<FileRecord>(input.files, (id, sides) => ({ record: mergeFile(id, sides, choices) }))
  const reusable = mergeEach<ReusableRecord>(input.reusable, (id, sides) =>
    mergeReusable(id, sides, { choices, documents }),
  )
  const pageMerge = { choices, documents, files: draftOf(files, input) }
  const pages = mergeEach<PageRecord, MergedPage>(input.pages, (id, sides) => mergePage(id, sides, pageMerge))
  const structure = mergeStructure(input, { files, reusable, pages }, choices)
  const newDocuments = [...reusable.merged.values(), ...pages.merged.values()].flatMap(({ document }) => document ?? [])
  return {
    content: {
      changes: structure.changes,
      variables: mergeVariables(input.variables, choices),
      configuration: mergeConfiguration(input.configuration, choices),
      documents: usedDocuments(newDocuments, structure.changes, input),
    },
    conflicts: structure.conflicts,
    textFaults: new Map(
      Array.from(pages.merged).flatMap(([id, { textFault }]) => (textFault ? [[id, textFault]] : [])),
    ),
  }
}

/** The changed records of a kind: as they are on the sides, and merged. */
interface MergedRecords<Row, Merged extends MergedRecord<Row> = MergedRecord<Row>> {
  sides: ReadonlyMap<string, Sides<Row>>
  merged: ReadonlyMap<string, Merged>
}

function mergeEach<Row, Merged extends MergedRecord<Row> = MergedRecord<Row>>(
  differences: SideDifferences<Row>,
  merge: (id: string, sides: Sides<Row>) => Merged,
): MergedRecords<Row, Merged> {
  const all = sidesById(differences)
  return { sides: all, merged: new Map(Array.from(all, ([id, sides]) => [id, merge(id, sides)])) }
}

function draftOf({ merged }: MergedRecords<FileRecord>, { files }: MergeInput): FileDraft {
  const draft = new FileDraft(files.main)
  for (const [id, { record }] of merged) {
    if (record) draft.set(record)
    else draft.delete(id)
  }
  return draft
}

interface AllRecords {
  files: MergedRecords<FileRecord>
  reusable: MergedRecords<ReusableRecord>
  pages: MergedRecords<PageRecord>
}

/** Makes a tree of the merged pages, and gives what became the same path different ones. */
function mergeStructure(
  input: MergeInput,
  { files, reusable, pages }: AllRecords,
  choices: Choices,
): { changes: Content['changes']; conflicts: DetectedConflict[] } {
  const tree = treeOf(pages, input)
  const { conflicts, reparented } = placePages(tree, choices)
  const slugCollisions = findSlugCollisions(tree, reparented)
  separateSlugs(tree, { collisions: slugCollisions, reparented, choices })
  const fileOwners = draftOfKind<FileRecord>(files, {
    subject: file => ({ file }),
    path: filePath,
    main: () => input.files.main.inOrder,
  })
  const reusableOwners = draftOfKind<ReusableRecord>(reusable, {
    subject: reusableContent => ({ reusableContent }),
    path: reusableFile,
    main: () => input.reusable.main,
  })
  const owners = [pageFiles(tree), fileOwners, reusableOwners] as KindDraft<LocatedRecord>[]
  const fileCollisions = findFileCollisions(owners)
  separateFiles(owners, { collisions: fileCollisions, choices })
  return {
    changes: { pages: tree.changes(), files: changesOf(fileOwners), reusable: changesOf(reusableOwners) },
    conflicts: [...conflicts, ...[...slugCollisions, ...fileCollisions].map(pathConflict)],
  }
}

function treeOf({ sides, merged }: MergedRecords<PageRecord>, { pages }: MergeInput): MergedTree {
  const tree = new MergedTree(pages, sides)
  for (const [id, { record }] of merged) {
    tree.set(id, record)
    const editing = sideEditingDeleted(sides.get(id) ?? { base: undefined, main: undefined, changeRequest: undefined })
    if (!editing) continue
    if (record) tree.forced.set(id, editing)
    else tree.dropped.add(id)
  }
  return tree
}

/** Returns a draft of the merged records of one kind, with the functions that tell their paths. `set` changes the draft, not `merged`. */
function draftOfKind<Row extends LocatedRecord>(
  { sides, merged }: MergedRecords<Row>,
  kind: Pick<KindDraft<Row>, 'subject' | 'path' | 'main'>,
): KindDraft<Row> {
  const records = new Map(Array.from(merged, ([id, { record }]) => [id, record]))
  return { ...kind, sides, get: id => records.get(id), set: (id, record) => void records.set(id, record) }
}

/** The records that differ from main content. */
function changesOf<Row extends LocatedRecord>({ sides, get }: KindDraft<Row>): RecordChanges<Row> {
  const merged = Array.from(sides, ([id, { main }]) => ({ id, main, record: get(id) }))
  return new Map(merged.filter(({ main, record }) => !isSame(main, record)).map(({ id, record }) => [id, record]))
}

/** The new documents that changed records have. */
function usedDocuments(
  newDocuments: readonly NewDocument[],
  { pages, reusable }: Content['changes'],
  { documents }: MergeInput,
): NewDocument[] {
  const byHash = new Map(newDocuments.map(document => [document.hash, document]))
  const hashes = new Set([...pages.values(), ...reusable.values()].map(record => record?.document ?? ''))
  return Array.from(hashes).flatMap(hash => (documents.has(hash) ? [] : (byHash.get(hash) ?? [])))
}
